"""Wilcoxon's signed-rank test (1945)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.significance import Outcome, Test, test
from assay.significance.ranks import average_ranks, tie_term, upper_tail
from assay.types import FloatArray

__all__ = ["SignedRank"]


@test("signed-rank")
@dataclass(frozen=True)
class SignedRank(Test):
    """Paired: differences by segment, those of zero left out. Normal approximation, corrected for ties and continuity.

    z = (W+ - n (n + 1) / 4 - 1/2) / sqrt(n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48)
    """

    is_paired = True

    def compare(self, first: FloatArray, second: FloatArray) -> Outcome:
        """One-sided: first tends to be higher."""
        difference = first - second
        if not len(difference):
            return Outcome(math.nan, 0, "the systems have no segment in common")
        nonzero = difference[difference != 0]
        size = len(nonzero)
        if not size:
            return Outcome(1.0, len(difference))
        ranks = average_ranks(np.abs(nonzero))
        spread = size * (size + 1) * (2 * size + 1) / 24 - tie_term(ranks) / 48
        statistic = ranks[nonzero > 0].sum() - size * (size + 1) / 4
        return Outcome(upper_tail((statistic - 0.5) / math.sqrt(spread)), len(difference))
