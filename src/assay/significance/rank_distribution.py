"""Ranks of systems over resamples: rank ranges, and the share of resamples with each rank."""

from __future__ import annotations

import math

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

__all__ = ["rank_ranges", "rank_shares"]


def rank_ranges(replicates: FloatArray, confidence: float) -> tuple[IntArray, IntArray]:
    """The lowest and highest rank of each system after cutting off the tails of the resamples, as WMT does.

    `replicates` (system, resample) are scores; higher is better.
    """
    systems, count = replicates.shape
    if not count:
        positions = np.arange(1, systems + 1)
        return positions, positions
    best, worst = (np.sort(ranks, axis=1) for ranks in _ranks(replicates))
    cut = min(math.ceil(count * (1 - confidence) / 2 - 1e-9), (count - 1) // 2)
    return best[:, cut], worst[:, count - 1 - cut]


def _ranks(replicates: FloatArray) -> tuple[IntArray, IntArray]:
    """(system, resample): the best and the worst rank, from 1, that a system shares with systems of equal score.

    Undefined scores come last.
    """
    scores = np.nan_to_num(replicates, nan=-np.inf)
    best = np.stack([1 + (scores > own).sum(axis=0) for own in scores])
    worst = np.stack([(scores >= own).sum(axis=0) for own in scores])
    return best, worst


def rank_shares(replicates: FloatArray) -> FloatArray:
    """(system, rank): the share of resamples with the rank; systems of equal score share their ranks equally."""
    systems, count = replicates.shape
    if not count:
        return np.full((systems, systems), np.nan)
    best, worst = _ranks(replicates)
    shares_by_rank = (((best <= rank) & (rank <= worst)) / (worst - best + 1.0) for rank in range(1, systems + 1))
    return np.stack([shares.mean(axis=1) for shares in shares_by_rank], axis=1)
