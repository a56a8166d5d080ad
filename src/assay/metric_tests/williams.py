"""Williams' test (1959) of two correlations with the same human scores."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.agreement import Statistic
from assay.agreement.pearson import correlation
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metric_tests import SMALLEST_P, MetricTest, Sides, default_test, metric_test
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.problem import Problem

__all__ = ["Williams", "williams_p"]

_EQUAL = 1e-12  # 1 - r of metrics that are equal up to rounding and scale


@metric_test("williams")
@dataclass(frozen=True)
class Williams(MetricTest):
    """For Pearson's r of system scores; n is the number of common systems.

    Metrics that are equal, or equal up to their scale, have p = 1.
    """

    sides: Sides = "one"

    label = "Williams"
    resamples = 0
    null = "both metrics have the same correlation with the human scores; scores are normal and the systems independent"

    def check_statistic(self, statistic: Statistic, level: str, grouping: str) -> None:
        """It is about one correlation of independent scores; segment scores of a system or a segment are not."""
        hint = f"use {default_test(statistic, level)}"
        if statistic.name != "pearson":
            raise ConfigError(f"williams compares Pearson correlations, not {statistic.name}", hint=hint)
        if level != "system":
            message = (
                "williams assumes independent scores, which the scores of many segments by the same systems are not"
            )
            raise ConfigError(message, hint=hint)

    def test(self, problem: Problem) -> MetricPairs:
        batches = [problem.batch(scores) for scores in problem.metrics]
        mask, n = batches[0].mask, int(batches[0].mask.sum())
        p = np.full((2, len(problem.first)), np.nan)
        reasons: list[str | None] = []
        for k, (i, j) in enumerate(zip(problem.first.tolist(), problem.second.tolist(), strict=True)):
            between = float(correlation(batches[i].metric, batches[j].metric, mask)[0])
            reason = None
            if n < 4:
                reason = "fewer than four common scores"
            elif np.isnan(problem.values[[i, j]]).any():
                reason = "the agreement of a metric is undefined"
            else:
                one, other = problem.values[i], problem.values[j]
                p[:, k] = williams_p(one, other, between, n), williams_p(other, one, between, n)
            reasons.append(reason)
        if self.sides == "two":
            p[:] = np.minimum(1.0, 2 * p.min(axis=0))
        return self.of_pairs(problem, p[0], p[1], reasons)


def williams_p(r12: float, r13: float, r23: float, n: int) -> float:
    """The one-sided p-value of "r12 is above r13", where r23 is the correlation of the two metrics (n - 3 df)."""
    if 1 - r23 <= _EQUAL:
        return 1.0
    determinant = max(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    spread = 2 * (n - 1) / (n - 3) * determinant + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if spread <= 0:  # r12 = -r13 and nothing is left to vary
        return SMALLEST_P if r12 > r13 else 1.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / spread)
    from scipy.special import stdtr  # slow to import

    return max(float(stdtr(n - 3, -t)), SMALLEST_P)
