"""Student's t-test of two samples with a common variance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.significance import PValue, SampleTest, test
from assay.significance.student import mean_and_variance, t_test
from assay.types import FloatArray

__all__ = ["PooledT"]


@test("pooled-t")
@dataclass(frozen=True)
class PooledT(SampleTest):
    """Unpaired. s^2 = ((n1 - 1) s1^2 + (n2 - 1) s2^2) / (n1 + n2 - 2);  t = (m1 - m2) / sqrt(s^2 (1/n1 + 1/n2))"""

    label = "pooled t"
    is_paired = False

    def p_value_of_samples(self, first: FloatArray, second: FloatArray) -> PValue:
        """One-sided: the mean of first is higher."""
        size, other = len(first), len(second)
        if size < 2 or other < 2:
            return PValue(math.nan, "a system has fewer than two scores")
        if np.array_equal(first, second):
            return PValue(1.0)
        degrees_of_freedom = size + other - 2
        mean, variance = mean_and_variance(first)
        other_mean, other_variance = mean_and_variance(second)
        pooled = ((size - 1) * variance + (other - 1) * other_variance) / degrees_of_freedom
        return t_test(mean - other_mean, pooled * (1 / size + 1 / other), degrees_of_freedom)
