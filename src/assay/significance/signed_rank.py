"""Wilcoxon's signed-rank test (1945)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.significance import PValue, SampleTest, test
from assay.significance.ranks import average_ranks, tie_term, upper_tail
from assay.types import FloatArray

__all__ = ["SignedRank"]


@test("signed-rank")
@dataclass(frozen=True)
class SignedRank(SampleTest):
    """Paired: differences by segment, without zeros. Normal approximation, corrected for ties and for continuity.

    z = (W+ - n (n + 1) / 4 - 1/2) / sqrt(n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48)
    """

    is_paired = True

    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """One-sided: first tends to be higher."""
        difference = first - second
        if not len(difference):
            return PValue(math.nan, "the systems have no segment in common")
        nonzero = difference[difference != 0]
        size = len(nonzero)
        if not size:
            return PValue(1.0)
        ranks = average_ranks(np.abs(nonzero))
        spread = size * (size + 1) * (2 * size + 1) / 24 - tie_term(ranks) / 48
        statistic = ranks[nonzero > 0].sum() - size * (size + 1) / 4
        return PValue(upper_tail((statistic - 0.5) / math.sqrt(spread)))
