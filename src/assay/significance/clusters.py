"""Clusters, rank ranges and fuzzy ranks of systems, from the pairs that differ significantly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["clusters_by_range", "clusters_by_test", "fuzzy_ranks", "ranges_by_neighbours", "ranges_by_wins"]


def clusters_by_test(better: npt.NDArray[np.bool_]) -> IntArray:
    """Cluster numbers from 1 for systems in order, best first.

    A new cluster starts at system k if every system before k is significantly better than k and all systems after it.
    `better[i, j]`: system i is significantly better than system j.
    """
    size = len(better)
    starts = [bool(better[:k, k:].all()) for k in range(size)]
    starts[:1] = [False] * min(size, 1)
    return np.cumsum(starts, dtype=np.int64) + 1


def clusters_by_range(low: IntArray, high: IntArray) -> IntArray:
    """Cluster numbers from 1 for systems in order.

    A new cluster starts at system k if no rank range before k overlaps the range of k or of a system after it.
    """
    size = len(low)
    starts = [k > 0 and bool(high[:k].max() < low[k:].min()) for k in range(size)]
    return np.cumsum(starts, dtype=np.int64) + 1


def ranges_by_wins(better: npt.NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """The best and worst rank of each system (WMT24): below those better than it, above those that it is better than.

    `better` is as above, but may hold for a lower-ranked system, too.
    """
    return better.sum(axis=0) + 1, len(better) - better.sum(axis=1)


def ranges_by_neighbours(better: npt.NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """The best and worst rank of each system (WMT25): up to the next system above that is better, and the next below
    that is worse.
    """
    size = len(better)
    low = [1 + max(np.flatnonzero(better[:k, k]) + 1, default=0) for k in range(size)]
    high = [min(np.flatnonzero(better[k, k + 1 :]) + k + 1, default=size) for k in range(size)]
    return np.array(low, dtype=np.int64), np.array(high, dtype=np.int64)


def fuzzy_ranks(better: npt.NDArray[np.bool_]) -> FloatArray:
    """For each system in order, the mean rank of the systems that do not differ from it, including itself (WMT13)."""
    alike = ~(better | better.T)
    ranks = np.arange(1, len(better) + 1)
    means: FloatArray = (alike * ranks).sum(axis=1) / alike.sum(axis=1)
    return means
