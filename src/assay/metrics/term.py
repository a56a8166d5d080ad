"""TERM: the share of the terms of a terminology list that an output translates as listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay.metrics import metric
from assay.metrics.term_list_metric import FoundTerm, TermListMetric, WantedTerms, found_terms
from assay.options.checks import check_choice
from assay.text.term_occurrences import Word, split_words
from assay.types import FloatArray, LabelledSpan, Table, TestSet, WordLabels
from assay.types.runtime import Runtime

__all__ = ["Term"]

_Unit = Literal["occurrences", "terms", "segments"]
_COUNTS = {
    "occurrences": ("found", "required"),
    "terms": ("terms_found", "terms"),
    "segments": ("complete", "segments"),
}
_LABELS = _FOUND, _MISSED = "found", "missed"


@metric("term")
@dataclass(frozen=True)
class Term(TermListMetric):
    """Per cent of the terms in the source that the output translates as a list says; needs no reference.

    score = 100 * found / required, where a term is required as often as it occurs in the source

    Options: list, a file of terms and their translations; unit (occurrences; terms: each once in a segment, found if
    one of its occurrences is; segments: per cent of the segments with terms that have all occurrences); lowercase,
    whether case is ignored (but words of a term in capitals keep them); lemma, where lemmas are compared, too, from the
    annotation layers `tokens` and `lemma` (none; outputs; both: sources, too); mode, which list
    of the files of WMT25 and WMT26 (proper; random).
    """

    labels = ("TERM",)
    score_options: ClassVar[frozenset[str]] = frozenset({"unit"})

    unit: _Unit = "occurrences"

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, get_args(_Unit))
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for names in _COUNTS.values() for name in names)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        table = np.zeros((len(testset.outputs), len(testset), len(self.columns)), dtype=np.int64)
        for system, segment, wanted, words in self.required(testset):
            found = Counter(each.number for each in found_terms(wanted, words))
            required = sum(each.occurrences for each in wanted.terms)
            complete = found.total() == required
            table[system, segment] = (found.total(), required, len(found), len(wanted.terms), complete, 1)
        return table

    def score(self, totals: Table) -> FloatArray:
        values = dict(zip(self.columns, np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0), strict=True))
        found, required = (values[name] for name in _COUNTS[self.unit])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(required > 0, 100 * found / required, np.nan)

    def word_labels(self, testset: TestSet) -> WordLabels:
        """Words of the output that translate a term, and words of the reference that translate one it lacks."""
        by_output: dict[str, dict[int, tuple[LabelledSpan, ...]]] = {name: {} for name in testset.outputs}
        by_reference: dict[str, dict[int, tuple[str, tuple[LabelledSpan, ...]]]] = {
            name: {} for name in testset.outputs
        }
        for system, segment, wanted, words in self.required(testset):
            name = testset.systems[system]
            found = found_terms(wanted, words)
            by_output[name][segment] = _spans(words, found, _FOUND)
            counts = Counter(each.number for each in found)
            missed = {number for number, each in enumerate(wanted.terms) if counts[number] < each.occurrences}
            if (marked := self._in_reference(testset, segment, wanted, missed)) is not None:
                by_reference[name][segment] = marked
        return WordLabels(_LABELS, by_output, by_reference, (_MISSED,))

    def _in_reference(
        self, testset: TestSet, segment: int, wanted: WantedTerms, missed: Collection[int]
    ) -> tuple[str, tuple[LabelledSpan, ...]] | None:
        """The first reference, with the terms that an output lacks."""
        for name, column in testset.references.items():
            if (text := column[segment]) is not None:
                words = split_words(text, lowercase=self.lowercase)
                found = [each for each in found_terms(wanted, words) if each.number in missed]
                return name, _spans(words, found, _MISSED)
        return None

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"unit": get_args(_Unit)}


def _spans(words: Sequence[Word], found: Iterable[FoundTerm], label: str) -> tuple[LabelledSpan, ...]:
    number = _LABELS.index(label)
    return tuple((word.start, word.end, number) for each in found for word in words[each.first : each.last])
