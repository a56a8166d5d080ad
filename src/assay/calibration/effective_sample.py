"""How much pairs of systems say that have systems in common."""

from __future__ import annotations

from assay.lazily import numpy as np
from assay.types import IntArray

__all__ = ["independent_pairs"]


def independent_pairs(systems: IntArray) -> int:
    """The largest number of pairs (pair, 2) such that no two have a system in common, rounded down.

    People find a very bad system worse than each of ten others: this is one observation rather than ten. The number is
    that of a fractional maximum matching, which is half of a maximum matching between two copies of the systems.
    """
    from scipy.sparse import csr_array  # slow to import
    from scipy.sparse.csgraph import maximum_bipartite_matching

    names, place = np.unique(systems, return_inverse=True)
    first, second = place.reshape(-1, 2).T
    both_ways = (np.concatenate([first, second]), np.concatenate([second, first]))
    graph = csr_array((np.ones(2 * len(first)), both_ways), shape=(len(names), len(names)))
    return max(1, int(np.count_nonzero(maximum_bipartite_matching(graph) >= 0)) // 2)
