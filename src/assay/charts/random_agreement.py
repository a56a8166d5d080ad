"""The correlations that metrics without any relation to people would have."""

from __future__ import annotations

import math

__all__ = ["MIN_SYSTEMS", "random_bound"]

MIN_SYSTEMS = 4
"""With fewer systems, almost any correlation may be random."""
_QUANTILE = 0.975


def random_bound(systems: int) -> float:
    """Pearson of 95 % of random metrics is between this and its negative: r = t / sqrt(n - 2 + t²), Student's t."""
    from scipy.special import stdtrit

    t = float(stdtrit(systems - 2, _QUANTILE))
    return t / math.sqrt(systems - 2 + t * t)
