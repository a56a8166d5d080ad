"""Wilcoxon's rank-sum test (Mann & Whitney 1947), which WMT uses to compare systems by direct assessment."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.significance import PValue, SampleTest, test
from assay.significance.ranks import average_ranks, tie_term, upper_tail
from assay.types import FloatArray

__all__ = ["RankSum"]


@test("rank-sum")
@dataclass(frozen=True)
class RankSum(SampleTest):
    """Unpaired: all values of each system. Normal approximation, corrected for ties and for continuity.

    U = R1 - n1 (n1 + 1) / 2;  z = (U - n1 n2 / 2 - 1/2) / sqrt(n1 n2 / 12 ((N + 1) - sum(t^3 - t) / (N (N - 1))))
    """

    label = "Wilcoxon rank-sum"
    is_paired = False

    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """One-sided: first tends to be higher."""
        return self.both_p_values_of_samples(first, second)[0]

    def both_p_values_of_samples(self, first: FloatArray, second: FloatArray) -> tuple[PValue, PValue]:
        """The statistic of one direction is minus that of the other."""
        size, other = len(first), len(second)
        total = size + other
        if not size or not other:
            return (undefined := PValue(math.nan, "a system has no score")), undefined
        if np.array_equal(first, second):
            return PValue(1.0), PValue(1.0)
        # Sorting joined samples is quick if each is sorted.
        ranks = average_ranks(np.concatenate([np.sort(first), np.sort(second)]))
        if np.ptp(ranks) == 0:
            return (undefined := PValue(math.nan, "all scores are equal")), undefined
        spread = total + 1 - tie_term(ranks) / (total * (total - 1))
        statistic = ranks[:size].sum() - size * (size + 1) / 2 - size * other / 2
        deviation = math.sqrt(size * other / 12 * spread)
        return PValue(upper_tail((statistic - 0.5) / deviation)), PValue(upper_tail((-statistic - 0.5) / deviation))
