"""Tests that draw differences under their null hypothesis, and count those that reach the observed one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.aggregate.resample import RESAMPLES, SEED, check_draws
from assay.lazily import numpy as np
from assay.metric_tests import MetricTest, Sides
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.problem import Problem
from assay.types import FloatArray

__all__ = ["DrawingTest", "PRule", "counted_p", "smallest_drawn_p"]

PRule = Literal["add-one", "share"]
"""p-values from draws: (b + 1) / (m + 1), or b / m, where b of m draws are at least as high as what was observed."""

_TOLERANCE = 1e-10  # differences closer than this are equal; the smallest step of a statistic is far above it
_UNDEFINED = "the agreement of a metric is undefined"


@dataclass(frozen=True)
class DrawingTest(MetricTest):
    """p = (1 + number of resamples with a difference at least as high) / (1 + resamples).

    `p_rule=share` is the share of such resamples, which may be 0 (mt-metrics-eval). A resample whose statistic is
    undefined counts as one with a higher difference.
    """

    resamples: int = RESAMPLES
    seed: int = SEED
    sides: Sides = "one"
    p_rule: PRule = "add-one"

    def __post_init__(self) -> None:
        check_draws(self.resamples, self.seed, least=1)

    def from_draws(self, problem: Problem, draws: FloatArray, every: FloatArray | None = None) -> MetricPairs:
        """The result from the differences of all pairs (pair, resample).

        `every`: the differences after all ways to swap the scores, the observed one included; p is then their share.
        """
        observed = problem.values[problem.first] - problem.values[problem.second]
        if every is None:
            better, worse = counted_p(observed, draws, self.sides, self.p_rule)
            smallest = smallest_drawn_p(self.resamples, self.p_rule)
        else:
            better, worse = counted_p(observed, every, self.sides, "share")
            smallest = (1 if self.sides == "one" else 2) / every.shape[1]  # to swap all scores changes only the sign
        reasons = [_UNDEFINED if is_nan else None for is_nan in np.isnan(observed)]
        return self.of_pairs(problem, better, worse, reasons, draws, smallest_p=smallest, is_exact=every is not None)


def counted_p(observed: FloatArray, draws: FloatArray, sides: str, p_rule: str | None) -> tuple[FloatArray, FloatArray]:
    """The p-values of "the first is better" and "the second is better" from differences and draws (pair, resample)."""

    def tail(differences: FloatArray, resampled: FloatArray) -> FloatArray:
        at_least = (~(resampled < differences[:, np.newaxis] - _TOLERANCE)).sum(axis=1)  # undefined draws count
        share = (1 + at_least) / (1 + draws.shape[1]) if p_rule == "add-one" else at_least / draws.shape[1]
        return np.where(np.isnan(differences), np.nan, share)

    if sides == "two":
        both = tail(np.abs(observed), np.abs(draws))
        return both, both
    return tail(observed, draws), tail(-observed, -draws)


def smallest_drawn_p(resamples: int, p_rule: str | None) -> float:
    """No p-value from so many random draws can be lower."""
    return 1 / (1 + resamples) if p_rule == "add-one" else 0.0
