"""Student's t-test of paired differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.significance import Outcome, Test, test
from assay.significance.student import outcome_of
from assay.types import FloatArray

__all__ = ["PairedT"]


@test("paired-t")
@dataclass(frozen=True)
class PairedT(Test):
    """t = mean(d) / sqrt(var(d) / n), with n - 1 degrees of freedom."""

    is_paired = True

    def compare(self, first: FloatArray, second: FloatArray) -> Outcome:
        """One-sided: the mean of first is higher."""
        difference = first - second
        size = len(difference)
        if size < 2:
            return Outcome(math.nan, size, "fewer than two segments in common")
        return outcome_of(float(difference.mean()), float(difference.var(ddof=1)) / size, size - 1, size)
