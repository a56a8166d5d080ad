"""Bounds of a share: those of Clopper and Pearson (1934), which hold for any number of cases."""

from __future__ import annotations

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

__all__ = ["exact_bounds"]


def exact_bounds(shares: FloatArray, counts: FloatArray | IntArray, tail: float) -> tuple[FloatArray, FloatArray]:
    """The lower and the upper bounds of shares of counts. Each bound is wrong with at most the probability `tail`.

    A bound is that of a one-sided test; an interval of both has the confidence 1 - 2 `tail`. The counts and the numbers
    of successes need not be whole.
    """
    from scipy.special import betaincinv  # slow to import

    hits, misses = shares * counts, (1 - shares) * counts
    with np.errstate(invalid="ignore"):
        low = np.where(hits > 0, betaincinv(hits, misses + 1, tail), 0.0)
        high = np.where(misses > 0, betaincinv(hits + 1, misses, 1 - tail), 1.0)
    return low, high
