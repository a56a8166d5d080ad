"""The tail of Student's t distribution, and means with their variance, for the t-tests."""

from __future__ import annotations

import math

import numpy as np

from assay.significance import Outcome
from assay.types import FloatArray

__all__ = ["mean_and_variance", "outcome_of"]

_SMALLEST = 5e-324


def outcome_of(difference: float, variance: float, freedom: float, n: int) -> Outcome:
    """One-sided: the difference of means is above 0, given the variance of that difference."""
    if difference == 0:
        return Outcome(1.0 if variance == 0 else 0.5, n)
    if variance <= 0:
        return Outcome(math.nan, n, "the scores do not vary")
    from scipy.special import stdtr  # slow to import, and not always needed

    return Outcome(max(float(stdtr(freedom, -difference / math.sqrt(variance))), _SMALLEST), n)


def mean_and_variance(values: FloatArray, *, rounding: float = 0.0) -> tuple[float, float]:
    """With n - 1. Values that differ by no more than `rounding` have no variance, whatever is left of it in floats."""
    if np.ptp(values) <= rounding:
        return float(values[0]), 0.0
    return float(values.mean()), float(values.var(ddof=1))
