"""TERM-CONSISTENCY: whether an output always translates a term in the same of the ways that a list allows."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from assay.errors import InputError
from assay.metrics import metric
from assay.metrics.term_list_metric import TermListMetric, found_terms
from assay.text.term_occurrences import Phrase
from assay.types import FloatArray, Table, TestSet, as_column, digest_of_column
from assay.types.runtime import Runtime

__all__ = ["TermConsistency"]

_MAX_COLUMNS = 2000
_DIGITS = 16  # of a digest in signatures

_Choices: TypeAlias = tuple[tuple[Phrase, tuple[Phrase, ...]], ...]
"""Terms, and the translations that each can have."""


@metric("term-consistency")
@dataclass(frozen=True)
class TermConsistency(TermListMetric):
    """How often an output uses its most frequent translation of a term, per cent; needs no reference.

    score = 100 * sum over terms of the count of the most frequent translation / sum of the counts of all

    It counts terms for which the list has several translations, that occur at least twice in the sources, and that the
    output translates at least twice as listed. Options as in `term`: list, lowercase, lemma, mode.
    """

    labels = ("TERM-CONSISTENCY",)
    undefined = "no term with several listed translations occurs twice in the output"
    no_interval = "no interval: a segment that a resample has twice agrees with itself"

    choices: _Choices = field(default=(), compare=False, repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """One for each translation of a term."""
        names = (f"{' '.join(term)} → {' '.join(each)}" for term, own in self.choices for each in own)
        return tuple(names) or ("none",)

    @property
    def resources(self) -> Mapping[str, str]:
        if not self.choices:
            return super().resources
        return {**super().resources, "terms": digest_of_column(as_column(self.columns))[:_DIGITS]}

    def prepare(self, testset: TestSet) -> TermConsistency:
        """This metric with the terms of the sources that can be translated in several ways."""
        prepared = super().prepare(testset)
        counts: Counter[Phrase] = Counter()
        translations: dict[Phrase, dict[Phrase, None]] = {}
        for segment, source in enumerate(testset.sources or ()):
            for each in prepared.wanted(testset, segment).terms if source is not None else ():
                counts[each.term] += each.occurrences
                translations.setdefault(each.term, {}).update(dict.fromkeys(each.translations))
        choices = tuple(
            (term, tuple(own)) for term, own in sorted(translations.items()) if counts[term] > 1 and len(own) > 1
        )
        if (columns := sum(len(own) for _, own in choices)) > _MAX_COLUMNS:
            message = f"{self.list}: {columns:,} translations of terms of the sources; at most {_MAX_COLUMNS:,} fit"
            raise InputError(message, hint="leave out some terms, or score the documents one by one")
        return dataclasses.replace(prepared, choices=choices)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        table = np.zeros((len(testset.outputs), len(testset), len(self.columns)), dtype=np.int64)
        pairs = ((term, each) for term, own in self.choices for each in own)
        numbers = {pair: number for number, pair in enumerate(pairs)}
        for system, segment, wanted, words in self.required(testset):
            for found in found_terms(wanted, words):
                number = numbers.get((wanted.terms[found.number].term, found.translation))
                if number is not None:
                    table[system, segment, number] += 1
        return table

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        if not self.choices:
            return np.full(totals.shape[:-1], np.nan)
        starts = [0, *itertools.accumulate(len(own) for _, own in self.choices)][:-1]
        most, all_of_them = (each.reduceat(totals, starts, axis=-1) for each in (np.maximum, np.add))
        counts = all_of_them > 1
        same, translated = (np.where(counts, each, 0).sum(axis=-1) for each in (most, all_of_them))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(translated > 0, 100 * same / translated, np.nan)
