"""Expected wins (Koehn 2012; WMT13): the probability of beating a random opponent."""

from __future__ import annotations

from dataclasses import dataclass

from assay.human.methods import CountingMethod, method
from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["ExpectedWins"]


@method("expected-wins")
@dataclass(frozen=True)
class ExpectedWins(CountingMethod):
    """The mean over opponents of wins / (wins + losses). Ties and opponents never compared do not count."""

    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        compared = wins + wins.T
        with np.errstate(invalid="ignore"):
            share = np.where(compared > 0, wins / compared, 0.0)
            mean: FloatArray = share.sum(axis=1) / (compared > 0).sum(axis=1)
        return mean
