"""How many pairs of items the metric and people order alike, differently, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay import _core
from assay.agreement import Batch
from assay.types import FloatArray, IntArray

__all__ = ["PairCounts", "count_pairs", "ratio"]


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Unordered pairs of each group; every pair is in one of the five."""

    concordant: IntArray
    discordant: IntArray
    tied_metric: IntArray
    """Tied in the metric alone."""
    tied_human: IntArray
    """Tied in the human scores alone."""
    tied_both: IntArray

    @property
    def total(self) -> IntArray:
        """All pairs."""
        return self.concordant + self.discordant + self.tied_metric + self.tied_human + self.tied_both


def count_pairs(batch: Batch, epsilon: float = 0.0) -> PairCounts:
    """The metric ties two items where their scores differ by at most epsilon; people where they are equal.

    An item and its own copy tie in both, whatever epsilon is, and are taken off there.
    """
    counts = _core.pair_counts(batch.metric, batch.human, batch.given, batch.pairs, epsilon, 1)
    found = PairCounts(*np.ascontiguousarray(counts.T))
    return found if batch.copies is None else replace(found, tied_both=found.tied_both - batch.copies)


def ratio(numerator: IntArray | FloatArray, denominator: IntArray | FloatArray) -> FloatArray:
    """Of each group; NaN where the denominator is 0."""
    found = np.full(len(denominator), np.nan)
    np.divide(numerator, denominator, out=found, where=denominator > 0)
    return found
