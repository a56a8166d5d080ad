"""From which systems differ to clusters and fuzzy ranks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.types import FloatArray, IntArray

__all__ = ["clusters_by_range", "clusters_by_test", "fuzzy_ranks"]


def clusters_by_test(better: npt.NDArray[np.bool_]) -> IntArray:
    """Clusters from 1 of systems in order, best first: a new one begins where all before beat all from here on.

    `better[i, j]`: system i is significantly better than system j.
    """
    size = len(better)
    starts = [bool(better[:k, k:].all()) for k in range(size)]
    starts[:1] = [False] * min(size, 1)
    return np.cumsum(starts, dtype=np.int64) + 1


def clusters_by_range(low: IntArray, high: IntArray) -> IntArray:
    """Clusters from 1 of systems in order: a new one begins where no range of ranks before reaches any from here on."""
    size = len(low)
    starts = [k > 0 and bool(high[:k].max() < low[k:].min()) for k in range(size)]
    return np.cumsum(starts, dtype=np.int64) + 1


def fuzzy_ranks(better: npt.NDArray[np.bool_]) -> FloatArray:
    """For each system in order, the mean rank of those that it does not differ from, itself among them (WMT13)."""
    alike = ~(better | better.T)
    ranks = np.arange(1, len(better) + 1)
    found: FloatArray = (alike * ranks).sum(axis=1) / alike.sum(axis=1)
    return found
