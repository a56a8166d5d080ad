"""Counts of the pairs of items that the metric and the human scores order alike, order differently, or tie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay import _core
from assay.agreement import Batch
from assay.agreement.tie_classes import TOLERANCE
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

__all__ = ["PairCounts", "count_pairs", "ratio"]


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of unordered pairs in each group; every pair is in exactly one field."""

    concordant: IntArray
    discordant: IntArray
    tied_metric: IntArray
    """Tied only in the metric."""
    tied_human: IntArray
    """Tied only in the human scores."""
    tied_both: IntArray

    @property
    def total(self) -> IntArray:
        """All pairs."""
        return self.concordant + self.discordant + self.tied_metric + self.tied_human + self.tied_both


def count_pairs(batch: Batch, epsilon: float = 0.0, *, exact_ties: bool = False) -> PairCounts:
    """Count pairs. Metric scores tie if they differ by at most epsilon, human scores only if they are equal. Scores
    that differ only by rounding are equal, as in `with_tie_classes`; with `exact_ties` they are not.

    An item and its own copy tie in both for every epsilon, so self-pairs are subtracted from `tied_both`.
    """
    tolerance = 0.0 if exact_ties else TOLERANCE
    counts = _core.pair_counts(batch.metric, batch.human, batch.mask, batch.pairs, epsilon, tolerance, 1)
    pairs = PairCounts(*np.ascontiguousarray(counts.T))
    return pairs if batch.self_pairs is None else replace(pairs, tied_both=pairs.tied_both - batch.self_pairs)


def ratio(numerator: IntArray | FloatArray, denominator: IntArray | FloatArray) -> FloatArray:
    """The ratio for each group; NaN where the denominator is 0."""
    ratios = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=ratios, where=denominator > 0)
    return ratios
