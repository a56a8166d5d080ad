"""The correlation between two scores of the same systems: pooled over language pairs, within each, and on samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import CONFIDENCE, ClusterBootstrap
from assay.agreement import Batch, Statistic
from assay.lazily import numpy as np
from assay.metaeval.score_samples import Samples, ScoredSystems
from assay.options.checks import check_share, no_effect
from assay.registry import option_text
from assay.results import Estimate, SampledCorrelation, ScoreCorrelation
from assay.types import FloatArray, IntArray, Note, NoteKind
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

__all__ = ["ClusterIntervals", "correlate_scores", "correlation_notes"]

MIN_SYSTEMS = 3
"""Any two points lie on a line: the correlation of two systems is 1 or -1 whatever their scores are."""
FEW_SYSTEMS = 5
"""Of four systems with unrelated scores, one group in twenty has a Pearson correlation beyond ±.95."""
CLEARLY = 0.01
"""Smaller distances between correlations do not change what a reader concludes."""

Pair = tuple[FloatArray, FloatArray]
"""Two scores of the same systems."""


@dataclass(frozen=True, slots=True)
class ClusterIntervals:
    """Intervals from resamples of whole language pairs; fewer than two resamples: no intervals."""

    bootstrap: ClusterBootstrap
    confidence: float

    def __post_init__(self) -> None:
        check_share("confidence", self.confidence)
        if self.confidence != CONFIDENCE and self.bootstrap.resamples < 2:
            raise no_effect("confidence", "there are no intervals")

    @property
    def settings(self) -> dict[str, str]:
        """What the intervals depend on."""
        return {"resamples": str(self.bootstrap.resamples), "confidence": option_text(self.confidence)}

    def pooled(self, statistic: Statistic, groups: Sequence[Pair]) -> Estimate:
        """The value over the systems of all language pairs together."""
        first, second = (np.concatenate(side) for side in zip(*groups, strict=True))
        estimate = _estimate(statistic, first, second)
        weights = self._weights(estimate, len(groups))
        if not isinstance(weights, np.ndarray):
            return replace(estimate, reason=estimate.reason or weights)
        rows = _repeated_rows(weights[:, np.repeat(np.arange(len(groups)), [len(group[0]) for group in groups])])
        replicates = _correlations(statistic, *(np.where(rows < 0, np.nan, side[rows]) for side in (first, second)))
        return estimate_from_replicates(estimate.value, replicates, estimate.n, self.confidence)

    def mean(self, estimates: Iterable[Estimate]) -> Estimate:
        """The mean of the values within language pairs, over those that have one; `n` counts them."""
        values = np.array([each.value for each in estimates if not math.isnan(each.value)])
        if not len(values):
            return Estimate(math.nan, 0, reason="no language pair has a value")
        estimate = Estimate(math.fsum(values) / len(values), len(values))
        weights = self._weights(estimate, len(values))
        if not isinstance(weights, np.ndarray):
            return replace(estimate, reason=weights)
        return estimate_from_replicates(estimate.value, weights @ values / len(values), len(values), self.confidence)

    def _weights(self, estimate: Estimate, groups: int) -> IntArray | str | None:
        """How often each language pair is drawn, or why there is no interval; None: nobody wants one."""
        if math.isnan(estimate.value) or self.bootstrap.resamples < 2:
            return None
        return self.bootstrap.weights(groups)


def correlate_scores(
    language_pairs: Sequence[ScoredSystems],
    statistic: Statistic,
    intervals: ClusterIntervals,
    samples: Samples,
    runtime: Runtime,
) -> list[ScoreCorrelation]:
    """Every two scores that some language pair has, in the order of their names there."""
    names = tuple(dict.fromkeys(name for each in language_pairs for name in each.scores))
    sampled = {size: _sampled(language_pairs, samples, size, runtime) for size in samples.sizes}
    correlations = []
    for first, second in runtime.track(list(combinations(names, 2)), lambda pair: f"correlating {pair[0]}, {pair[1]}"):
        having = [each for each in language_pairs if first in each.scores and second in each.scores]
        if having:
            groups = [(each.scores[first], each.scores[second]) for each in having]
            pooled = intervals.pooled(statistic, groups)
            by_lp = {each.label: _estimate(statistic, *group) for each, group in zip(having, groups, strict=True)}
            is_sampled = any({first, second} & each.scorables.keys() for each in having)
            on_samples = tuple(
                _on_samples(statistic, samples, size, having, found, (first, second))
                for size, found in sampled.items()
                if is_sampled
            )
            correlations.append(
                ScoreCorrelation(first, second, pooled, intervals.mean(by_lp.values()), by_lp, on_samples)
            )
    return correlations


def correlation_notes(correlations: Sequence[ScoreCorrelation]) -> Iterator[Note]:
    """Where a pooled value misleads, and which language pairs have too few systems to say much."""
    if apart := [f"{each.first} and {each.second}" for each in correlations if _is_apart(each)]:
        text = f"pooled values beyond the values of all language pairs: {listed(apart)}. They also measure how "
        text += "language pairs differ from each other; the mean of the language pairs does not"
        yield Note(NoteKind.ADVICE, text, count=len(apart), severity="warning")
    systems: dict[str, int] = {}
    for label, estimate in ((label, estimate) for each in correlations for label, estimate in each.by_lp.items()):
        systems[label] = max(estimate.n, systems.get(label, 0))
    undefined = [f"{label} ({n})" for label, n in systems.items() if n < MIN_SYSTEMS]
    few = [f"{label} ({n})" for label, n in systems.items() if MIN_SYSTEMS <= n < FEW_SYSTEMS]
    if undefined:
        text = f"no value for language pairs with fewer than {MIN_SYSTEMS} systems: {listed(undefined)}"
        yield Note(NoteKind.UNDEFINED, text, count=len(undefined))
    if few:
        text = f"the values of language pairs with fewer than {FEW_SYSTEMS} systems say little: {listed(few)}"
        yield Note(NoteKind.ADVICE, text, count=len(few))


def _is_apart(each: ScoreCorrelation) -> bool:
    """Whether the pooled value is clearly outside the values of all language pairs (Simpson's paradox)."""
    if each.lowest is None or each.highest is None or each.mean.n < 2:
        return False
    low, high = each.lowest[1].value, each.highest[1].value
    return each.pooled.value < low - CLEARLY or each.pooled.value > high + CLEARLY


def _sampled(
    language_pairs: Sequence[ScoredSystems], samples: Samples, size: int, runtime: Runtime
) -> dict[str, Mapping[str, FloatArray]]:
    """By language pair: its scores on samples of one size."""
    tracked = runtime.track(language_pairs, lambda each: f"sampling {plural(size, 'segment')} of {each.label}")
    return {each.label: each.sampled(samples, size, runtime) for each in tracked}


def _on_samples(
    statistic: Statistic,
    samples: Samples,
    size: int,
    language_pairs: Sequence[ScoredSystems],
    sampled: Mapping[str, Mapping[str, FloatArray]],
    names: tuple[str, str],
) -> SampledCorrelation:
    """Two scores on samples of one size, over the language pairs where at least one of them is that of the sample."""
    used = [each for each in language_pairs if not sampled[each.label].keys().isdisjoint(names)]
    unsampled = tuple(name for name in names if any(name not in each.scorables for each in used or language_pairs))
    if not used:
        values = np.full(samples.count, math.nan)
        return SampledCorrelation(size, values, 0, unsampled, "all language pairs have fewer segments")
    first, second = (
        np.concatenate([_over_samples(name, each, sampled[each.label], samples.count) for each in used], axis=1)
        for name in names
    )
    return SampledCorrelation(
        size,
        _correlations(statistic, first, second),
        _count(first, second),
        unsampled,
        _why_undefined(first, second),
    )


def _over_samples(name: str, each: ScoredSystems, sampled: Mapping[str, FloatArray], count: int) -> FloatArray:
    """The score (sample, system) on each sample; that of all segments where it cannot be sampled."""
    whole = each.scores[name]
    return sampled[name] if name in sampled else np.broadcast_to(whole, (count, len(whole)))


def _estimate(statistic: Statistic, first: FloatArray, second: FloatArray) -> Estimate:
    """The value of two scores without an interval, or why it is undefined."""
    first, second = first[np.newaxis], second[np.newaxis]
    value = float(_correlations(statistic, first, second)[0])
    reason = _why_undefined(first, second) if math.isnan(value) else None
    return Estimate(value, _count(first, second), reason=reason)


def _correlations(statistic: Statistic, first: FloatArray, second: FloatArray) -> FloatArray:
    """The value of each row over the systems that have both scores; NaN for too few."""
    mask = ~np.isnan(first) & ~np.isnan(second)
    computed = statistic.compute(Batch(np.where(mask, first, 0.0), np.where(mask, second, 0.0), mask))
    values: FloatArray = np.where(mask.sum(axis=1) < MIN_SYSTEMS, np.nan, computed.values)
    return values


def _count(first: FloatArray, second: FloatArray) -> int:
    """The number of systems that have both scores in some row."""
    return int((~np.isnan(first) & ~np.isnan(second)).any(axis=0).sum())


def _why_undefined(first: FloatArray, second: FloatArray) -> str:
    """Why the value of a row may be undefined."""
    is_small = _count(first, second) < MIN_SYSTEMS
    return f"fewer than {MIN_SYSTEMS} systems" if is_small else "a score is the same for all systems"


def _repeated_rows(weights: IntArray) -> IntArray:
    """The numbers of the rows (resample, place), each as often as its weight says; -1 fills up shorter resamples."""
    drawn = np.full((len(weights), int(weights.sum(axis=1).max())), -1)
    for places, row in zip(drawn, weights, strict=True):
        chosen = np.repeat(np.arange(len(row)), row)
        places[: len(chosen)] = chosen
    return drawn
