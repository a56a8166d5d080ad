"""Expected wins (Koehn 2012; WMT13): the chance to beat an opponent that is drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.people.methods import CountingMethod, method
from assay.types import FloatArray

__all__ = ["ExpectedWins"]


@method("expected-wins")
@dataclass(frozen=True)
class ExpectedWins(CountingMethod):
    """The mean over opponents of wins / (wins + losses). Ties do not count, nor do opponents never met."""

    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        met = wins + wins.T
        with np.errstate(invalid="ignore"):
            share = np.where(met > 0, wins / met, 0.0)
            mean: FloatArray = share.sum(axis=1) / (met > 0).sum(axis=1)
        return mean
