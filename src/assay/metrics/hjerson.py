"""Hjerson (Popović 2011): inflection, reordering, missing, extra and lexical errors of words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from assay import _core
from assay.errors import SegmentError
from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric, masked
from assay.metrics.long_lines import too_long
from assay.metrics.tokenized import TokenizedMetric
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.text import white_space_advice
from assay.text.word_places import Place, word_places
from assay.types import Column, FloatArray, LabelledSpan, Note, Table, TestSet, WordLabels, as_column
from assay.types.note import plural
from assay.types.runtime import Runtime, available_cores

__all__ = ["Hjerson"]

T = TypeVar("T")

_Columns: TypeAlias = tuple[Column, ...]
_Spans: TypeAlias = tuple[LabelledSpan, ...]

_Error = Literal["all", "inflection", "order", "missing", "extra", "lexical"]
_Blocks = Literal["none", "order", "all"]
_Base = Literal["letters", "lemma"]
_LAYERS = ("tokens", "lemma")
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
class Hjerson(AnnotatedMetric, TokenizedMetric):
    """Inflection, reordering, missing, extra and lexical errors per 100 words; lower is better.

    score = 100 * (inflection + order + extra + lexical) / output length + 100 * missing / reference length

    Options: error (all, or the rate of one class: inflection, order, missing, extra, lexical); blocks (none; order,
    all: neighbouring words with an error of the same class are one error, for order errors or for all); base, the base
    forms of words (letters: their first four letters; lemma: the annotation layer `lemma`, with the words of the layer
    `tokens` that it belongs to); tok, the tokeniser with base=letters (none: white space); lowercase. With several
    references the one with the lowest WER is used.
    """

    labels = ("Hjerson",)
    score_options: ClassVar[frozenset[str]] = frozenset({"error", "blocks"})
    undefined = "the references are empty"

    error: _Error = "all"
    blocks: _Blocks = "none"
    base: _Base = "letters"
    tok: NestedSpec = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_choice("error", self.error, get_args(_Error))
        check_choice("blocks", self.blocks, get_args(_Blocks))
        check_choice("base", self.base, get_args(_Base))
        super().__post_init__()
        if self.base == "lemma" and self.tok != "none":
            raise ValueError(f"tok={self.tok} requires base=letters; base=lemma has the words of the layer 'tokens'")

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """Words and base forms, if these are not the first letters."""
        return _LAYERS if self.base == "lemma" else ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (*_LENGTHS, *_COUNTS, *(f"{name}_blocks" for name in _COUNTS))

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from super().advice(testset)
        if self.base == "letters":
            yield from white_space_advice(testset, self.name, self.tok, f"{self.name}:tok={{tok}}")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        arguments = self._arguments(testset)
        return np.asarray(_call_kernel(testset, lambda: _core.hjerson_statistics(*arguments, threads=runtime.threads)))

    def _arguments(self, testset: TestSet) -> tuple[_Columns, _Columns, _Columns, _Columns, str]:
        """The words of references and outputs, their base forms if these are given, and the core's tokeniser."""
        if self.base == "lemma":
            is_used = self.usable_references(testset), self.scorable(testset)
            references, outputs, *bases = (
                tuple(map(self._cased, masked(columns, mask)))
                for layer in _LAYERS
                for columns, mask in zip(testset.layer_texts(layer), is_used, strict=True)
            )
            return references, outputs, bases[0], bases[1], "none"
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)
        return references, outputs, (), (), core

    def _cased(self, column: Column) -> Column:
        """The words of a column, in lower case if they are compared so."""
        return as_column(line.lower() if line else line for line in column) if self.lowercase else column

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
        words_of_references, words_of_outputs, *_, core = arguments
        by_output: dict[str, dict[int, _Spans]] = {name: {} for name in testset.outputs}
        by_reference: dict[str, dict[int, tuple[str, _Spans]]] = {name: {} for name in testset.outputs}
        labelled = _call_kernel(testset, lambda: _core.hjerson_labels(*arguments, threads=available_cores()))

        @functools.cache
        def reference_places(reference: int, segment: int) -> list[Place | None]:
            return _places(references[reference][1][segment], words_of_references[reference][segment], core)

        for system, segment, reference, reference_classes, output_classes in labelled:
            name, column = outputs[system]
            words = words_of_outputs[system][segment]
            by_output[name][segment] = _spans(_places(column[segment], words, core), output_classes, _OUTPUT_CLASSES)
            spans = _spans(reference_places(reference, segment), reference_classes, _REFERENCE_CLASSES)
            by_reference[name][segment] = references[reference][0], spans
        reference_only = tuple(label for label in _REFERENCE_CLASSES if label not in _OUTPUT_CLASSES)
        return WordLabels(_LABELS, by_output, by_reference, reference_only)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        tokenizers = ("none",) if self.base == "lemma" else ("none", "13a", "intl")
        return {"error": get_args(_Error), "blocks": get_args(_Blocks), "tok": tokenizers}


def _places(text: str | None, words: str | None, core: str) -> list[Place | None]:
    """Where the words of a text are in it."""
    return word_places(text or "", _core.tokenize(words or "", core))


def _spans(places: Sequence[Place | None], classes: bytes, names: Sequence[str]) -> _Spans:
    """The words with an error, as far as their places are known."""
    return tuple(
        (*place, _LABELS.index(names[number - 1]))
        for place, number in zip(places, classes, strict=True)
        if place is not None and number
    )


def _call_kernel(testset: TestSet, kernel: Callable[[], T]) -> T:
    """Call a kernel and translate its errors."""
    try:
        return kernel()
    except _core.TooLongError as error:
        raise too_long(error, "hjerson", testset.outputs, testset.references, is_adjustable=False) from None
    except _core.BaseCountMismatchError as error:
        is_output, column, segment, words, bases = error.args
        name = list(testset.outputs if is_output else testset.references)[column]
        reason = (
            f"of '{name}' has {plural(words, 'word')} in the annotation layer 'tokens', but "
            f"{plural(bases, 'base form')} in the layer 'lemma'"
        )
        hint = "annotate it again, or use base=letters, the first letters of words"
        raise SegmentError(segment, reason, hint=hint) from None
