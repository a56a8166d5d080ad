"""Differences between systems: bootstrap intervals, p-values and counts of segments won.

Everything is a function of two sets of sums over the same tables: sums over bootstrap resamples, and sums over randomly
swapped segments. The sums are made once for each system and serve all of its pairs: if C is the sum of a system over
the swapped segments and T its total, then swapping turns the total of the first into T1 - C1 + C2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.aggregate import estimate_from_replicates
from assay.errors import ConfigError, nearest
from assay.resample import Bootstrap, Swaps
from assay.results import Estimate
from assay.runtime import Runtime
from assay.significance import test as test_registry
from assay.types import FloatArray, Scorable, Table, totals

__all__ = ["ALTERNATIVES", "TESTS", "ComparisonOptions", "PairedScores", "paired_scores", "win_counts"]

ALTERNATIVES = ("two-sided", "better", "worse")
TESTS = ("randomisation", "bootstrap", "koehn", "paired-t", "signed-rank")
_SAMPLE_TESTS = ("paired-t", "signed-rank")
_ROUNDING = 1e-12  # relative; sums of resamples are rounded differently from the observed ones


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How to compare. `assay.compare` describes the options."""

    test: str = "randomisation"
    alternative: str = "two-sided"
    resamples: int = 10_000
    seed: int = 12345
    confidence: float = 0.95
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for option, value, known in (("test", self.test, TESTS), ("alternative", self.alternative, ALTERNATIVES)):
            if value not in known:
                raise ConfigError(f"unknown {option} '{value}'", hint=nearest(value, known))
        for option in ("confidence", "alpha"):
            if not 0 < getattr(self, option) < 1:
                raise ConfigError(f"{option} must be between 0 and 1, not {getattr(self, option):g}")
        Swaps(self.resamples, self.seed)  # checks both


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The scores of all systems, observed and resampled; `higher_is_better` orients one-sided alternatives."""

    scorable: Scorable
    options: ComparisonOptions
    higher_is_better: bool
    scores: FloatArray
    """(system)"""
    replicates: FloatArray
    """(system, resample): bootstrap scores."""
    sums: Table
    """(system, column): totals."""
    swapped: Table | None
    """(system, resample, column): sums over the swapped segments; None if the test swaps nothing."""

    def difference(self, first: int, second: int) -> Estimate:
        """The score of the first minus that of the second, with its bootstrap interval and standard error."""
        value = float(self.scores[first] - self.scores[second])
        reason = "a score is undefined" if math.isnan(value) else None
        replicates = self.replicates[first] - self.replicates[second]
        n = self.scorable.table.shape[1]
        return estimate_from_replicates(value, replicates, n, self.options.confidence, reason=reason)

    def p_value(self, first: int, second: int) -> tuple[float, str | None]:
        """The p-value of the difference; NaN with a reason where it is undefined."""
        observed = float(self.scores[first] - self.scores[second])
        if math.isnan(observed):
            return math.nan, "a score is undefined"
        if self.options.test in _SAMPLE_TESTS:
            return self._p_value_of_samples(first, second)
        if self.options.test == "randomisation" and self.swapped is not None:
            resampled = self._swapped_differences(self.swapped, first, second)
        else:
            resampled = self.replicates[first] - self.replicates[second]
        if self.options.test == "bootstrap":  # centred: the distribution under "no difference"
            resampled = resampled - observed
        rounding = _ROUNDING * (abs(self.scores[first]) + abs(self.scores[second]))
        count = _koehn_count if self.options.test == "koehn" else _count_as_extreme
        sign = 1.0 if self.higher_is_better else -1.0
        extreme = count(sign * resampled, sign * observed, float(rounding), self.options.alternative)
        return (1 + extreme) / (1 + self.options.resamples), None

    def _swapped_differences(self, swapped: Table, first: int, second: int) -> FloatArray:
        """The difference of the scores in each resample of swaps."""
        moved = swapped[second] - swapped[first]
        score = self.scorable.score
        differences: FloatArray = score(self.sums[first] + moved) - score(self.sums[second] - moved)
        return differences

    def _p_value_of_samples(self, first: int, second: int) -> tuple[float, str | None]:
        test = test_registry.create(self.options.test)
        one, other = (self.scorable.system(self.scorable.systems[i]) for i in (first, second))
        better, worse = test.both_p_values(one, other)
        if not self.higher_is_better:
            better, worse = worse, better
        p = {"better": better.p, "worse": worse.p}.get(self.options.alternative, min(1.0, 2 * min(better.p, worse.p)))
        return p, better.reason or worse.reason


def _count_as_extreme(resampled: FloatArray, observed: float, rounding: float, alternative: str) -> int:
    """The number of resamples at least as far from no difference as the observed one; undefined ones count."""
    if alternative == "two-sided":
        return int((~(np.abs(resampled) < abs(observed) - rounding)).sum())
    if alternative == "better":
        return int((~(resampled < observed - rounding)).sum())
    return int((~(resampled > observed + rounding)).sum())


def _koehn_count(resampled: FloatArray, observed: float, _rounding: float, alternative: str) -> int:
    """The number of resamples that the winner does not win (Koehn 2004); two-sided: the winner is the observed one."""
    winner_is_first = observed >= 0 if alternative == "two-sided" else alternative == "better"
    return int((~(resampled > 0)).sum()) if winner_is_first else int((~(resampled < 0)).sum())


def paired_scores(
    scorables: Mapping[str, Scorable], options: ComparisonOptions, runtime: Runtime, *, higher_is_better: bool
) -> dict[str, PairedScores]:
    """Resample scorables of one metric, with the same resamples for all of them."""
    for name, scorable in scorables.items():
        if options.test in _SAMPLE_TESTS and not scorable.is_mean:
            raise ConfigError(
                f"{options.test} compares values of segments, but {name} scores are not means of segment scores",
                hint="use --test randomisation, or --agg segment",
            )
    tables = [scorable.table for scorable in scorables.values()]
    resampled = Bootstrap(options.resamples, None, options.seed).sums(tables, runtime)
    swapped: Sequence[Table | None] = [None] * len(tables)
    if options.test == "randomisation":
        swapped = Swaps(options.resamples, options.seed).sums(tables, runtime)
    results = {}
    for (name, scorable), sums, swapped_sums in zip(scorables.items(), resampled, swapped, strict=True):
        total = totals(scorable.table, runtime)
        scores, replicates = scorable.score(total), scorable.score(sums)
        results[name] = PairedScores(scorable, options, higher_is_better, scores, replicates, total, swapped_sums)
    return results


def win_counts(first: FloatArray, second: FloatArray, *, higher_is_better: bool) -> tuple[int, int, int]:
    """The numbers of segments that the first system wins, ties and loses, among those with both scores."""
    difference = (first - second) if higher_is_better else (second - first)
    return int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())
