"""Hjerson (Popović 2011): words with errors of inflection, order and choice, missing and extra words."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from assay import _core
from assay.checks import check_choice
from assay.errors import SegmentError
from assay.metrics import metric
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec
from assay.runtime import Runtime
from assay.text import space_advice
from assay.types import Column, FloatArray, LabelledSpan, Note, Table, TestSet, WordLabels
from assay.types.note import plural

__all__ = ["Hjerson"]

T = TypeVar("T")

_Columns: TypeAlias = tuple[Column, ...]
_Spans: TypeAlias = tuple[LabelledSpan, ...]

_Error = Literal["all", "inflection", "order", "missing", "extra", "lexical"]
_Blocks = Literal["none", "order", "all"]
_Base = Literal["auto", "lemma", "letters"]
_LAYER = "lemma"
_OUTPUT_CLASSES = ("inflection", "order", "extra", "lexical")  # in the order of the core
_REFERENCE_CLASSES = ("inflection", "order", "missing", "lexical")
_LABELS = ("inflection", "order", "missing", "extra", "lexical")
_LENGTHS = ("output_length", "reference_length")
_COUNTS = (
    *_OUTPUT_CLASSES,
    *(f"reference_{name}".replace("reference_missing", "missing") for name in _REFERENCE_CLASSES),
)


@metric("hjerson")
@dataclass(frozen=True)
class Hjerson(TokenizedMetric):
    """Errors of five classes per 100 words: of inflection, order and choice, missing and extra words; lower is better.

    score = 100 * (inflection + order + extra + lexical) / output length + 100 * missing / reference length

    Options: error (all, or the rate of one class: inflection, order, missing, extra, lexical); blocks (none; order,
    all: neighbouring words with an error of the same class are one error, for order errors or for all); base, where the
    base forms of words come from (lemma: the annotation layer `lemma`; letters: their first four letters; auto: lemma
    if the test set has this layer); tok, the tokeniser (none: white space); lowercase. With several references the one
    with the lowest WER counts.
    """

    score_options: ClassVar[frozenset[str]] = frozenset({"error", "blocks"})
    undefined = "the references are empty"

    error: _Error = "all"
    blocks: _Blocks = "none"
    base: _Base = "auto"
    tok: NestedSpec = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_choice("error", self.error, get_args(_Error))
        check_choice("blocks", self.blocks, get_args(_Blocks))
        check_choice("base", self.base, get_args(_Base))
        super().__post_init__()

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        """The reference, and base forms if they are not the first letters."""
        return frozenset({"reference", _LAYER} if self.base == "lemma" else {"reference"})

    @property
    def columns(self) -> tuple[str, ...]:
        return (*_LENGTHS, *_COUNTS, *(f"{name}_blocks" for name in _COUNTS))

    def prepare(self, testset: TestSet) -> Hjerson:
        if self.base != "auto":
            return self
        lemmas = testset.annotations.get(_LAYER, {})
        has_all = all(name in lemmas for name in testset.outputs) and any(name in lemmas for name in testset.references)
        return dataclasses.replace(self, base="lemma" if has_all else "letters")

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from space_advice(testset, self.name, self.tok, f"{self.name}:tok={{tok}}")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        arguments = self._arguments(testset)
        return np.asarray(_computed(testset, lambda: _core.hjerson_statistics(*arguments, threads=runtime.threads)))

    def _arguments(self, testset: TestSet) -> tuple[_Columns, _Columns, _Columns, _Columns, str]:
        """References and outputs, their base forms if these are given, and the core's tokeniser."""
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)
        bases: tuple[_Columns, _Columns] = testset.layer_texts(_LAYER) if self.base == "lemma" else ((), ())
        return references, outputs, *bases, core

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        reference_length = totals[..., 1]
        rates = [self._rate(totals, name) for name in _LABELS if self.error in ("all", name)]
        score: FloatArray = np.sum(rates, axis=0)
        return np.where(reference_length > 0, score, np.nan)

    def _rate(self, totals: Table, name: str) -> FloatArray:
        """Errors of a class per 100 words of the side that they are counted in; 0 if it has no words."""
        is_block = self.blocks == "all" or (self.blocks == "order" and name == "order")
        count = totals[..., self.columns.index(f"{name}_blocks" if is_block else name)]
        length = totals[..., 1 if name == "missing" else 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(length > 0, 100 * count / length, 0.0)

    def word_labels(self, testset: TestSet) -> WordLabels:
        arguments = self._arguments(testset)
        references, outputs = tuple(testset.references.items()), tuple(testset.outputs.items())
        by_output: dict[str, dict[int, _Spans]] = {name: {} for name in testset.outputs}
        by_reference: dict[str, dict[int, tuple[str, _Spans]]] = {name: {} for name in testset.outputs}
        labelled = _computed(testset, lambda: _core.hjerson_labels(*arguments))
        for system, segment, reference, reference_classes, output_classes in labelled:
            name, column = outputs[system]
            by_output[name][segment] = self._spans(column[segment], output_classes, _OUTPUT_CLASSES)
            chosen, texts = references[reference]
            by_reference[name][segment] = chosen, self._spans(texts[segment], reference_classes, _REFERENCE_CLASSES)
        return WordLabels(_LABELS, by_output, by_reference)

    def _spans(self, text: str | None, classes: bytes, names: Sequence[str]) -> _Spans:
        """Where the words with an error are in a text. Words that the tokeniser changes are left out."""
        change, core = self.tokenizer.reader(lowercase=self.lowercase)
        line = text or ""
        words = _core.tokenize(change(line) if change else line, core)
        searched = line.lower() if self.lowercase and len(line.lower()) == len(line) else line
        spans, end = [], 0
        for word, number in zip(words, classes, strict=True):
            start = searched.find(word, end)
            end = start + len(word) if start >= 0 else end
            if start >= 0 and number:
                spans.append((start, end, _LABELS.index(names[number - 1])))
        return tuple(spans)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"error": get_args(_Error), "blocks": get_args(_Blocks), "tok": ("none", "13a", "intl")}


def _computed(testset: TestSet, compute: Callable[[], T]) -> T:
    """What the core computes, with its errors in words."""
    try:
        return compute()
    except _core.TooLongError as error:
        reference, system, segment, reference_length, output_length = error.args
        reason = (
            f"is too long for hjerson: {output_length:,} words of the system '{testset.systems[system]}' and "
            f"{reference_length:,} of the reference '{list(testset.references)[reference]}'"
        )
        raise SegmentError(segment, reason, hint="is a line break missing?") from None
    except _core.UnequalBasesError as error:
        is_output, column, segment, words, bases = error.args
        name = list(testset.outputs if is_output else testset.references)[column]
        counts = f"{plural(words, 'word')}, but {plural(bases, 'base form')}"
        reason = f"of '{name}' has {counts} in the annotation layer '{_LAYER}'"
        hint = "one base form for each word is needed; base=letters uses the first letters instead"
        raise SegmentError(segment, reason, hint=hint) from None
