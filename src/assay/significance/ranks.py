"""Ranks with ties, and the tail of the normal distribution."""

from __future__ import annotations

import numpy as np

from assay.types import FloatArray

__all__ = ["average_ranks", "tie_term", "upper_tail"]

_SMALLEST = 5e-324  # a p-value is never 0


def average_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1, the mean rank for values that are equal."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: FloatArray = (ends - (counts - 1) / 2)[inverse]
    return ranks


def tie_term(ranks: FloatArray) -> float:
    """The sum of t^3 - t over groups of t equal ranks."""
    _, counts = np.unique(ranks, return_counts=True)
    sizes = counts.astype(np.float64)
    return float((sizes**3 - sizes).sum())


def upper_tail(z: float) -> float:
    """P(Z >= z) of a standard normal variable, never 0."""
    from scipy.special import ndtr  # slow to import, and not always needed

    return max(float(ndtr(-z)), _SMALLEST)
