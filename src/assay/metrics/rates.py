"""Base classes of the edit-distance metrics: edits over reference length, in per cent or as Moses prints it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from assay import _core
from assay.contracts import SURFACE
from assay.metrics.core_metric import CoreMetric
from assay.metrics.long_lines import max_cells, too_long
from assay.metrics.tokenized import TokenizedMetric
from assay.text import space_advice
from assay.types import Column, Note, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["EditRate", "WordRate"]


class EditRate(CoreMetric):
    """100 * edits / reference length, lower is better; with flavour=moses 1 - edits / reference length, higher is."""

    family = SURFACE
    undefined = "the references are empty"
    flavour: str = "plain"

    @property
    @abstractmethod
    def rate(self) -> str:
        """The core's name of the edit distance."""

    @property
    def is_moses(self) -> bool:
        """Whether to score as the Moses scorer does, which prints one minus the rate."""
        return self.flavour == "moses"

    @property
    def higher_is_better(self) -> bool:
        return self.is_moses

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    @property
    def formula(self) -> _core.RateFormula:
        return _core.RateFormula(self.rate, self.flavour)

    def edit_statistics(
        self,
        testset: TestSet,
        references: tuple[Column, ...],
        outputs: tuple[Column, ...],
        runtime: Runtime,
        *,
        tokenizer: str = "none",
        whitespace: bool = True,
        chooses_as_moses: bool = False,
    ) -> Rows:
        """What the core computes of these texts.

        With several references, a row has the smallest number of edits and the mean reference length, so the table has
        real numbers. PER and `chooses_as_moses` choose one of the references, so their tables have integers.
        """
        try:
            return _core.rate_statistics(
                references,
                outputs,
                rate=self.rate,
                tokenizer=tokenizer,
                whitespace=whitespace,
                chooses_as_moses=chooses_as_moses,
                max_cells=max_cells(),
                threads=runtime.threads,
            )
        except _core.TooLongError as error:
            unit = "characters" if self.rate == "cer" else "words"
            raise too_long(
                error,
                self.rate,
                testset.outputs,
                testset.references,
                unit=unit,
                because=", which have little in common",
            ) from None


class WordRate(TokenizedMetric, EditRate):
    """An edit rate over the tokens of a tokeniser."""

    def advice(self, testset: TestSet) -> Iterator[Note]:
        name = f"{self.name}-moses" if self.is_moses else self.name
        better = f"{name}:tok={{tok}} or {name}:tok=char"
        yield from space_advice(testset, name, self.tok_for(testset.target), better)

    def word_statistics(
        self, testset: TestSet, runtime: Runtime, *, lowercase: bool, chooses_as_moses: bool = False
    ) -> Rows:
        """The statistics of the tokens. Moses splits only at U+0020 for tok=none."""
        references, outputs, core = self.texts(testset, lowercase=lowercase)
        splitter = "space" if self.is_moses and self.tok == "none" else core
        return self.edit_statistics(
            testset, references, outputs, runtime, tokenizer=splitter, chooses_as_moses=chooses_as_moses
        )
