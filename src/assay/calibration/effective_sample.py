"""How much pairs of systems say that have systems in common, and the bounds of shares that so many pairs support."""

from __future__ import annotations

import numpy as np

from assay.types import FloatArray, IntArray

__all__ = ["exact_bounds", "independent_differences"]


def independent_differences(systems: IntArray) -> int:
    """How many differences between systems (pair, 2) are linearly independent.

    It is the rank of the graph of pairs: its systems less its connected parts. The other differences are sums of these.
    """
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    names, place = np.unique(systems, return_inverse=True)
    first, second = place.reshape(-1, 2).T
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(len(names), len(names)))
    parts, _ = connected_components(graph, directed=False)
    return len(names) - int(parts)


def exact_bounds(shares: FloatArray, counts: IntArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """The bounds of Clopper and Pearson for shares of counts; the number of successes need not be whole."""
    from scipy.special import betaincinv  # slow to import

    tail = (1 - confidence) / 2
    hits, misses = shares * counts, (1 - shares) * counts
    with np.errstate(invalid="ignore"):
        low = np.where(hits > 0, betaincinv(hits, misses + 1, tail), 0.0)
        high = np.where(misses > 0, betaincinv(hits + 1, misses, 1 - tail), 1.0)
    return low, high
