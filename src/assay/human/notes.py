"""Notes on a ranking: what weakens it, or makes it look stronger than it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.errors import option_name
from assay.human.domains import documents_of
from assay.human.scoring import segment_scores
from assay.human.selection import Judged
from assay.lazily import numpy as np
from assay.measurement.segment_groups import NOTABLE_RATIO, are_known_documents, error_ratios, known_documents
from assay.significance import PValues, SampleTest, Test
from assay.significance.resolution import out_of_reach
from assay.types import FloatArray, IntArray, Note, NoteKind, Ratings, ScoreTable, TestSet
from assay.types.note import listed, plural, verb_for

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "certain_pairs",
    "dependent_ratings",
    "dependent_segments",
    "different_segments",
    "drawn_segments",
    "few_documents",
    "few_judgements",
    "missing_segments",
    "opposed_domains",
    "reversed_pairs",
    "too_few_resamples",
    "untested_pairs",
]

_FEW_JUDGEMENTS = 30
_FEW_DOCUMENTS = 3
_SHOWN_PAIRS = 5


def missing_segments(table: ScoreTable) -> IntArray:
    """By system: the number of segments that other systems were judged on, but not this one."""
    is_judged = ~np.isnan(table.values)
    counts: IntArray = (~is_judged[:, is_judged.any(axis=0)]).sum(axis=1)
    return counts


def different_segments(table: ScoreTable) -> Iterator[Note]:
    """If the systems were judged on different segments, their means also differ because of those."""
    is_judged = ~np.isnan(table.values)
    if missing := int(missing_segments(table).sum()):
        counts, common = is_judged.sum(axis=1), int(is_judged.all(axis=0).sum())
        text = (
            f"the systems were judged on different segments: {counts.min():,} to {counts.max():,} each, {common:,} in "
            "common; the means are not over the same segments"
        )
        yield Note(NoteKind.MISSING, text, count=missing)


def few_judgements(counts: IntArray, kind: str) -> Iterator[Note]:
    """A system with few judgements; `kind` says what they are."""
    lowest = int(counts.min())
    if lowest < _FEW_JUDGEMENTS:
        systems = int((counts < _FEW_JUDGEMENTS).sum())
        text = (
            f"{plural(systems, 'system')} with fewer than {_FEW_JUDGEMENTS} {kind} (fewest: {lowest:,}): intervals and "
            "p-values are rough"
        )
        yield Note(NoteKind.MISSING, text, count=systems)


def drawn_segments(segments: int) -> Iterator[Note]:
    """That pairs of outputs are resampled by segment."""
    text = (
        f"the judgements are single pairs of outputs, and the pairs of a segment may come from one ranking: resamples "
        f"draw the {segments:,} segments with all their pairs, not single pairs"
    )
    yield Note(NoteKind.ADVICE, text)


def few_documents(judgements: Judged, testset: TestSet | None) -> Iterator[Note]:
    """Judgements of few documents, as far as the documents are known."""
    names = _documents(judgements, testset)
    if 0 < len(names) < _FEW_DOCUMENTS:
        text = (
            f"the judgements are of {plural(len(names), 'document')} ({listed(sorted(names))}): segments of a document "
            "are not independent, so intervals are too narrow and p-values too low"
        )
        yield Note(NoteKind.MISSING, text, count=len(names))


def dependent_segments(judgements: ScoreTable | Ratings, testset: TestSet | None) -> Iterator[Note]:
    """How much larger the standard errors of the means are if documents are the units, where that is notable."""
    table = segment_scores(judgements) if isinstance(judgements, Ratings) else judgements
    columns = np.flatnonzero(~np.isnan(table.values).all(axis=0))
    known = documents_of(judgements, testset, table.values.shape[1])
    documents = tuple(known[i] for i in columns.tolist()) if known else ()
    if len(set(documents)) < _FEW_DOCUMENTS or not are_known_documents(documents):
        return
    ratios = error_ratios(table.values[:, columns], documents)
    ratios = ratios[~np.isnan(ratios)]
    if len(ratios) and ratios.max() >= NOTABLE_RATIO:
        low, high = f"{ratios.min():.1f}", f"{ratios.max():.1f}"
        text = (
            f"intervals, tests and clusters take the segments of a document as independent; with the "
            f"{len(set(documents)):,} documents as units, standard errors of the means are "
            f"{low if low == high else f'{low} to {high}'} times as large; clusters of segments set equal systems "
            f"apart more often than their level says, so prefer {option_name('unit', 'document')}"
        )
        yield Note(NoteKind.ADVICE, text, count=len(set(documents)))


def dependent_ratings(ratings: FloatArray | None, test: Test) -> Iterator[Note]:
    """Several ratings of an output are not independent; a test that pairs all of them takes them as such."""
    if ratings is not None and test.is_paired and isinstance(test, SampleTest):
        count = int(((~np.isnan(ratings)).sum(axis=0) > 1).sum())
        text = (
            f"{plural(count, 'output')} with several ratings: the test compares every rating with every rating of the "
            "other system, as the campaign did, so that p-values are too low"
        )
        yield Note(NoteKind.ADVICE, text, count=count)


def _documents(judgements: Judged, testset: TestSet | None) -> set[str]:
    """The judged documents; empty unless all of them are known."""
    if isinstance(judgements, ScoreTable):
        segments = np.flatnonzero((~np.isnan(judgements.values)).any(axis=0))
    else:
        segments = np.unique(judgements.segment[judgements.segment >= 0])
    known = documents_of(judgements, testset, int(segments.max(initial=-1)) + 1)
    return set(known_documents(known[segment] for segment in segments.tolist())) if known else set()


def too_few_resamples(smallest_p: float, pairs: int, correction: str, alpha: float) -> Iterator[Note]:
    """If no pair can become significant, however far the systems differ."""
    if (reach := out_of_reach(smallest_p, pairs, correction, alpha)) is not None:
        after = "" if correction == "none" else f" after the correction for {plural(pairs, 'pair')}"
        text = (
            f"no pair of systems can differ significantly: the smallest possible p-value is {reach.p:.2g}{after}; at "
            f"least {reach.resamples:,} resamples are needed"
        )
        yield Note(NoteKind.ADVICE, text, count=pairs)


def untested_pairs(tested: PValues) -> Iterator[Note]:
    """Pairs without a p-value, by reason."""
    for reason, count in tested.untested.items():
        text = f"{_pairs_of_systems(count)} could not be tested: {reason}; clusters that depend on them are undefined"
        yield Note(NoteKind.UNDEFINED, text, count=count)


def opposed_domains(pairs: list[tuple[str, str]], is_significant: list[bool]) -> Iterator[Note]:
    """Pairs where some domains favour one system and some the other, which two-sided p-values do not show."""
    if pairs:
        found = [pair for pair, significant in zip(pairs, is_significant, strict=True) if significant]
        shown, are = f": {_named(found)}" if found else "", verb_for(len(found), "is", "are")
        text = (
            f"in {_pairs_of_systems(len(pairs))}, some domains favour one system and some the other, which combined "
            f"two-sided p-values do not show; of these pairs, {len(found):,} {are} significant{shown}"
        )
        yield Note(NoteKind.SUSPECT, text, count=len(pairs))


def reversed_pairs(systems: tuple[str, ...], is_reversed: npt.NDArray[np.bool_]) -> Iterator[Note]:
    """Pairs (row, column) in which the lower-ranked system, the column, is significantly better by the test."""
    pairs = [(systems[j], systems[i]) for i, j in np.argwhere(is_reversed).tolist()]
    if pairs:
        text = (
            f"the test contradicts the order of {_pairs_of_systems(len(pairs))}, in which the lower-ranked one is "
            f"significantly better: {_named(pairs)}"
        )
        yield Note(NoteKind.SUSPECT, text, count=len(pairs))


def certain_pairs(p_values: FloatArray, systems: tuple[str, ...]) -> Iterator[Note]:
    """Pairs whose combined p is 1: Stouffer's method gives this if a single two-sided p is 1."""
    pairs = [(systems[i], systems[j]) for i, j in np.argwhere(np.triu(p_values == 1.0)).tolist()]
    if pairs:
        text = (
            f"p is 1 for {_pairs_of_systems(len(pairs))} that are equal in one domain, whatever the others say: "
            f"{_named(pairs)}"
        )
        yield Note(NoteKind.SUSPECT, text, count=len(pairs))


def _named(pairs: list[tuple[str, str]]) -> str:
    return listed((f"{first} – {second}" for first, second in pairs), _SHOWN_PAIRS)


def _pairs_of_systems(count: int) -> str:
    return f"{plural(count, 'pair')} of systems"
