"""The correlation between two scores of the same systems: pooled over test sets, within each, and on samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.aggregate import estimate_from_replicates
from assay.agreement import Batch, Statistic
from assay.checks import check_integer, check_share
from assay.metaeval.score_samples import Samples, ScoredSystems
from assay.registry import option_text
from assay.resample import MAX_RESAMPLES, MAX_SEED
from assay.results import Estimate, SampledCorrelation, ScoreCorrelation
from assay.runtime import Runtime
from assay.types import FloatArray

__all__ = ["TestSetResamples", "correlate_scores"]

MIN_TEST_SETS = 5
"""Fewer test sets say too little about others to draw resamples of them."""
MIN_SYSTEMS = 3
"""Any two points lie on a line."""


@dataclass(frozen=True, slots=True)
class TestSetResamples:
    """Intervals of pooled values: whole test sets are drawn, because systems of the same test set resemble each other.

    Fewer than two resamples: no intervals.
    """

    resamples: int
    seed: int
    confidence: float

    def __post_init__(self) -> None:
        check_integer("resamples", self.resamples, 0, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED)
        check_share("confidence", self.confidence)

    @property
    def settings(self) -> dict[str, str]:
        """What the intervals depend on."""
        return {"resamples": str(self.resamples), "confidence": option_text(self.confidence)}

    def estimate(self, statistic: Statistic, groups: Sequence[tuple[FloatArray, FloatArray]]) -> Estimate:
        """The value over the systems of all test sets."""
        first, second = (np.concatenate(side) for side in zip(*groups, strict=True))
        (value,), why = _values(statistic, first[np.newaxis], second[np.newaxis])
        present = ~np.isnan(first) & ~np.isnan(second)
        n = int(present.sum())
        if math.isnan(value):
            return Estimate(value, n, reason=why)
        if self.resamples < 2:
            return Estimate(value, n)
        if len(groups) < MIN_TEST_SETS:
            reason = f"no interval: fewer than {MIN_TEST_SETS} test sets and language pairs"
            return Estimate(value, n, reason=reason)
        ends = np.cumsum([len(group[0]) for group in groups])
        rows = [np.arange(start, end) for start, end in zip((0, *ends), ends, strict=False)]
        generator = np.random.default_rng(self.seed)
        drawn = [np.concatenate([rows[k] for k in draw]) for draw in self._draws(generator, len(groups))]
        places = np.full((len(drawn), max(map(len, drawn))), -1)
        for row, chosen in zip(places, drawn, strict=True):
            row[: len(chosen)] = chosen
        replicates, _ = _values(statistic, *(np.where(places < 0, np.nan, side[places]) for side in (first, second)))
        return estimate_from_replicates(value, replicates, n, self.confidence)

    def _draws(self, generator: np.random.Generator, groups: int) -> Iterable[Sequence[int]]:
        draws: Iterable[Sequence[int]] = generator.integers(groups, size=(self.resamples, groups)).tolist()
        return draws


def correlate_scores(
    campaigns: Sequence[ScoredSystems],
    statistic: Statistic,
    intervals: TestSetResamples,
    samples: Samples,
    runtime: Runtime,
) -> list[ScoreCorrelation]:
    """Every two scores that some campaign has, in the order of their names there."""
    names = tuple(dict.fromkeys(name for campaign in campaigns for name in campaign.scores))
    sampled = {size: _sampled(campaigns, samples, size, runtime) for size in samples.sizes}
    correlations = []
    for first, second in runtime.track(list(combinations(names, 2)), lambda pair: f"correlating {pair[0]}, {pair[1]}"):
        groups = {
            campaign.label: (campaign.scores[first], campaign.scores[second])
            for campaign in campaigns
            if first in campaign.scores and second in campaign.scores
        }
        if groups:
            pooled = intervals.estimate(statistic, list(groups.values()))
            by_test_set = {label: _estimate(statistic, *group) for label, group in groups.items()}
            on_samples = [_correlate(statistic, size, each, first, second) for size, each in sampled.items()]
            found = tuple(each for each in on_samples if each is not None)
            correlations.append(ScoreCorrelation(first, second, pooled, by_test_set, found))
    return correlations


def _sampled(
    campaigns: Sequence[ScoredSystems], samples: Samples, size: int, runtime: Runtime
) -> list[Mapping[str, FloatArray]]:
    """The scores on samples of one size, of the campaigns that are not left out."""
    tracked = runtime.track(campaigns, lambda campaign: f"sampling {size:,} segments of {campaign.label}")
    found = [campaign.sampled(samples, size, runtime) for campaign in tracked]
    return [scores for scores in found if scores is not None]


def _correlate(
    statistic: Statistic, size: int, campaigns: Iterable[Mapping[str, FloatArray]], first: str, second: str
) -> SampledCorrelation | None:
    groups = [(scores[first], scores[second]) for scores in campaigns if first in scores and second in scores]
    if not groups:
        return None
    sides = [np.concatenate(side, axis=1) for side in zip(*groups, strict=True)]
    values, why = _values(statistic, *sides)
    return SampledCorrelation(size, values, sides[0].shape[1], why)


def _estimate(statistic: Statistic, first: FloatArray, second: FloatArray) -> Estimate:
    (value,), why = _values(statistic, first[np.newaxis], second[np.newaxis])
    n = int((~np.isnan(first) & ~np.isnan(second)).sum())
    return Estimate(value, n, reason=why if math.isnan(value) else None)


def _values(statistic: Statistic, first: FloatArray, second: FloatArray) -> tuple[FloatArray, str]:
    """The value of each row over the systems that have both scores, and why one may be undefined."""
    mask = ~np.isnan(first) & ~np.isnan(second)
    computed = statistic.compute(Batch(np.where(mask, first, 0.0), np.where(mask, second, 0.0), mask))
    few = mask.sum(axis=1).max(initial=0) < MIN_SYSTEMS
    why = f"fewer than {MIN_SYSTEMS} systems" if few else "a score is the same for all systems"
    values: FloatArray = np.where(mask.sum(axis=1) < MIN_SYSTEMS, np.nan, computed.values)
    return values, why
