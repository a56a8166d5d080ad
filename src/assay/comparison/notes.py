"""Notes on a comparison: where its numbers disagree, and what its test cannot show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.comparison.differences import ComparisonOptions, smallest_p
from assay.errors import option_name
from assay.lazily import numpy as np
from assay.measurement.segment_groups import NOTABLE_RATIO, are_known_documents, error_ratios
from assay.results import ComparedMetric, ComparedPair, Outcome
from assay.results.outcome import is_significant
from assay.significance.resolution import FEW_EXTREME, MOST_RESAMPLES, out_of_reach
from assay.types import Column, FloatArray, Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["MIN_UNITS", "comparison_notes", "dependence_notes"]

MIN_UNITS = 20
"""With fewer segments or documents, bootstrap intervals are too narrow."""
_SHOWN_PAIRS = 5


def comparison_notes(metrics: Sequence[ComparedMetric], options: ComparisonOptions, unit: str) -> Iterator[Note]:
    """What a reader of the p-values and intervals should know."""
    families: dict[tuple[int, int], int] = {}  # the most resamples by number of pairs and of units
    for metric in metrics:
        family = _defined(metric), metric.pairs[0].difference.n
        drawn = max(pair.resamples or 0 for pair in metric.pairs)
        families[family] = max(drawn, families.get(family, 0))
    for (pairs, n), most in families.items():
        yield from _resolution(pairs, n, options, unit, most)
        if 1 < n < MIN_UNITS:  # a single unit has no interval at all, and says so
            yield Note(NoteKind.SUSPECT, f"intervals from only {plural(n, unit)} are too narrow", count=n)
    if options.rejects_too_often:
        name = "koehn" if options.compat is None else "the bootstrap of sacreBLEU"
        yield Note(NoteKind.ADVICE, f"{name} rejects true null hypotheses too often; randomisation keeps its level")
    for metric in metrics:
        yield from _opposed(metric, options)
    if options.is_two_sided and math.isclose(options.alpha, 1 - options.confidence):
        for metric in metrics:
            yield from _contradictions(metric, options.alpha)


def dependence_notes(
    segments: Mapping[str, Mapping[str, FloatArray]],
    pairs: Iterable[tuple[str, str]],
    documents: Column | None,
    options: ComparisonOptions,
) -> Iterator[Note]:
    """How much larger standard errors are if documents are the units, of segment scores by metric and system."""
    if documents is None or not are_known_documents(documents) or options.compat is not None:
        return
    compared = list(pairs)
    differences = [scores[first] - scores[second] for scores in segments.values() for first, second in compared]
    ratios = error_ratios(np.array(differences), documents)
    ratios = ratios[~np.isnan(ratios)]
    if len(ratios) and ratios.max() >= NOTABLE_RATIO:
        low, high = f"{ratios.min():.1f}", f"{ratios.max():.1f}"
        test = "" if options.sample_test is None else f" {option_name('test', 'randomisation')}"
        text = (
            f"tests and intervals take the segments of a document as independent; with the {len(set(documents)):,} "
            f"documents as units ({option_name('unit', 'document')}{test}), standard errors of mean differences are "
            f"{low if low == high else f'{low} to {high}'} times as large"
        )
        yield Note(NoteKind.ADVICE, text, count=len(set(documents)))


def _defined(metric: ComparedMetric) -> int:
    """The number of pairs that p-values are corrected for."""
    return sum(not math.isnan(pair.p) for pair in metric.pairs)


def _resolution(pairs: int, n: int, options: ComparisonOptions, unit: str, most: int) -> Iterator[Note]:
    """A note if no difference can be significant, because there are too few ways to swap units or too few resamples.

    If the test could draw more, the note says so, and that up to `most` were needed.
    """
    if options.resample_limit(pairs, n) > options.resamples:
        if most > options.resamples:
            few = f"fewer than {FEW_EXTREME} of them reached the observed difference"
            drawn = f"where {few}, the test drew more, up to {most:,}"
        else:
            drawn = f"no pair needed more, because at least {FEW_EXTREME} of them reached each observed difference"
        cause = f"{options.resamples:,} resamples cannot show a difference after the correction for {pairs:,} pairs"
        text = f"{cause}; {drawn}"
        yield Note(NoteKind.PROVENANCE, text, count=most)
        return
    smallest = smallest_p(options, n)
    reach = out_of_reach(smallest, pairs, options.correction, options.alpha)
    if reach is None:
        return
    if smallest > 1 / (1 + options.resamples):
        cause, enough = (
            f"{plural(n, unit)} can be swapped in {2**n} ways",
            f"{_units_needed(reach.factor, options)} {unit}s",
        )
    else:
        cause, enough = (
            f"there are {plural(options.resamples, 'resample')}",
            f"{reach.resamples:,} resamples",
        )
        if options.may_draw_more and reach.resamples >= MOST_RESAMPLES:
            enough += f" (more than {MOST_RESAMPLES:,}, which are drawn only if {option_name('resamples')} says so)"
    text = (
        f"no difference can be significant: {cause}, so that p is at least {reach.p:.2g}"
        f"{f' after the correction for {pairs:,} pairs' if reach.factor > 1 else ''}; at least {enough} are needed"
    )
    yield Note(NoteKind.SUSPECT, text, severity="warning")


def _units_needed(factor: float, options: ComparisonOptions) -> int:
    return math.floor(math.log2(factor * (2 if options.is_two_sided else 1) / options.alpha) + 1e-9) + 1


def _opposed(metric: ComparedMetric, options: ComparisonOptions) -> Iterator[Note]:
    """A note if a test of ranks shows the opposite of the difference of the means."""
    pairs = [pair for pair in metric.pairs if pair.outcome is Outcome.OPPOSED]
    if pairs:
        names = listed((f"{pair.first} and {pair.second}" for pair in pairs), _SHOWN_PAIRS)
        text = (
            f"the difference of the means and {options.test} point in opposite directions, so neither system is shown "
            f"to be better, and p is undefined in fail_if: {names}"
        )
        yield Note(NoteKind.SUSPECT, text, f"{metric.metric} {metric.aggregation}", len(pairs))


def _contradictions(metric: ComparedMetric, alpha: float) -> Iterator[Note]:
    """A note if p-values and intervals of the same level disagree about zero."""
    names = [
        f"{pair.first} and {pair.second}"
        for pair in metric.pairs
        if _disagrees(pair, alpha) and pair.outcome is not Outcome.OPPOSED
    ]
    if names:
        text = (
            "the interval and the p-value disagree on whether the difference is zero; the verdict uses the p-value: "
            f"{'; '.join(names)}"
        )
        yield Note(NoteKind.SUSPECT, text, f"{metric.metric} {metric.aggregation}", len(names))


def _disagrees(pair: ComparedPair, alpha: float) -> bool:
    difference = pair.difference
    if math.isnan(pair.p) or math.isnan(difference.low):
        return False
    return is_significant(pair.p, alpha) != (difference.low > 0 or difference.high < 0)
