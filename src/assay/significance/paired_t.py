"""Student's t-test of paired differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.significance import PValue, SampleTest, test
from assay.significance.student import mean_and_variance, t_test
from assay.types import FloatArray

__all__ = ["PairedT"]


@test("paired-t")
@dataclass(frozen=True)
class PairedT(SampleTest):
    """t = mean(d) / sqrt(var(d) / n), with n - 1 degrees of freedom."""

    label = "paired t"
    is_paired = True
    compares = "means"

    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """One-sided: the mean of first is higher."""
        difference = first - second
        size = len(difference)
        if size < 2:
            return PValue(math.nan, "fewer than two segments in common")
        largest = max(float(np.abs(first).max()), float(np.abs(second).max()))
        mean, variance = mean_and_variance(difference, rounding=4 * float(np.finfo(np.float64).eps) * largest)
        return t_test(mean, variance / size, size - 1, "differences")
