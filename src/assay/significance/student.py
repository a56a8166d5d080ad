"""One-sided p-values of Student's t-tests, and the means and variances they need."""

from __future__ import annotations

import math

from assay.lazily import numpy as np
from assay.significance import PValue
from assay.types import FloatArray

__all__ = ["mean_and_variance", "t_test"]

_SMALLEST = 5e-324  # a p-value is never 0


def t_test(difference: float, variance: float, degrees_of_freedom: float, values: str = "scores") -> PValue:
    """Test whether a difference of means is above 0 (one-sided), from the variance of the difference.

    `values` says what the variance is of: scores, or the differences of paired ones.
    """
    if difference == 0:
        return PValue(1.0 if variance == 0 else 0.5)
    if variance <= 0:
        return PValue(math.nan, f"the {values} do not vary")
    from scipy.special import stdtr  # slow to import, and not always needed

    return PValue(max(float(stdtr(degrees_of_freedom, -difference / math.sqrt(variance))), _SMALLEST))


def mean_and_variance(values: FloatArray, *, rounding: float = 0.0) -> tuple[float, float]:
    """The mean, and the variance with n - 1. Values that differ by no more than `rounding` have variance 0."""
    if np.ptp(values) <= rounding:
        return float(values[0]), 0.0
    return float(values.mean()), float(values.var(ddof=1))
