"""The tail of Student's t distribution, for the t-tests."""

from __future__ import annotations

import math

from assay.significance import Outcome

__all__ = ["outcome_of"]

_SMALLEST = 5e-324


def outcome_of(difference: float, variance: float, freedom: float, n: int) -> Outcome:
    """One-sided: the difference of means is above 0, given the variance of that difference."""
    if difference == 0:
        return Outcome(1.0 if variance == 0 else 0.5, n)
    if variance <= 0:
        return Outcome(math.nan, n, "the scores do not vary")
    from scipy.special import stdtr  # slow to import, and not always needed

    return Outcome(max(float(stdtr(freedom, -difference / math.sqrt(variance))), _SMALLEST), n)
