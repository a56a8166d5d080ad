"""Wilcoxon's signed-rank test (1945)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.results.ties import score_differences
from assay.significance import PValue, SampleTest, test
from assay.significance.ranks import average_ranks, tie_term, upper_tail
from assay.types import FloatArray

__all__ = ["SignedRank"]


@test("signed-rank")
@dataclass(frozen=True)
class SignedRank(SampleTest):
    """Paired: differences by segment, without zeros. Normal approximation, corrected for ties and for continuity.

    z = (W+ - n (n + 1) / 4 - 1/2) / sqrt(n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48)

    `continuity=no` leaves out the correction for continuity, the 1/2 (WMT24).
    """

    continuity: bool = True

    label = "Wilcoxon signed-rank"
    is_paired = True
    compares = "ranks"

    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """One-sided: first tends to be higher."""
        return self.both_p_values_of_samples(first, second)[0]

    def both_p_values_of_samples(self, first: FloatArray, second: FloatArray) -> tuple[PValue, PValue]:
        """The statistic of one direction is minus that of the other."""
        difference = score_differences(first, second)
        if not len(difference):
            return (undefined := PValue(math.nan, "the systems have no segment in common")), undefined
        nonzero = difference[difference != 0]
        size = len(nonzero)
        if not size:
            return PValue(1.0), PValue(1.0)
        ranks = average_ranks(np.abs(nonzero))
        spread = size * (size + 1) * (2 * size + 1) / 24 - tie_term(ranks) / 48
        statistic = ranks[nonzero > 0].sum() - size * (size + 1) / 4
        step, deviation = 0.5 if self.continuity else 0.0, math.sqrt(spread)
        return PValue(upper_tail((statistic - step) / deviation)), PValue(upper_tail((-statistic - step) / deviation))
