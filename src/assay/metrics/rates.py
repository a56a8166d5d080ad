"""Base classes of the edit-distance metrics: edits over reference length, in per cent or as Moses prints it."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator

from assay import _core
from assay.errors import ConfigError, SegmentError
from assay.metrics.core_metric import CoreMetric
from assay.metrics.tokenized import TokenizedMetric
from assay.runtime import Runtime
from assay.text import space_advice
from assay.types import Column, Note, Rows, TestSet

__all__ = ["MAX_CELLS", "MAX_CELLS_VARIABLE", "EditRate", "WordRate"]

MAX_CELLS = 10**12
"""The most cells of the edit-distance table of one line: two lines of a million characters with nothing in common."""

MAX_CELLS_VARIABLE = "ASSAY_MAX_EDIT_CELLS"
"""The environment variable that sets another limit."""


class EditRate(CoreMetric):
    """100 * edits / reference length, lower is better; with flavour=moses 1 - edits / reference length, higher is."""

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
                max_cells=_max_cells(),
                threads=runtime.threads,
            )
        except _core.TooLongError as error:
            raise _too_long(error, testset, self.rate) from None


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


def _max_cells() -> int:
    text = os.environ.get(MAX_CELLS_VARIABLE, "")
    if not text:
        return MAX_CELLS
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise ConfigError(f"{MAX_CELLS_VARIABLE} must be a positive integer below 2^63, not '{text}'")
    return int(text)


def _too_long(error: _core.TooLongError, testset: TestSet, rate: str) -> SegmentError:
    reference, system, segment, reference_length, output_length = error.args
    unit = "characters" if rate == "cer" else "words"
    return SegmentError(
        segment,
        f"is too long for {rate}: {output_length:,} {unit} of the system '{list(testset.outputs)[system]}' and "
        f"{reference_length:,} of the reference '{list(testset.references)[reference]}', which have little in common",
        hint="is a line break missing? to compute it nevertheless, set the environment variable "
        f"{MAX_CELLS_VARIABLE} to more than {_max_cells()} cells of the edit-distance table",
    )
