"""The share of comparisons a system wins, with the treatments of ties that WMT has used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.people.methods import CountingMethod, method
from assay.types import FloatArray

__all__ = ["Wins"]

_WORTH = {"ignore": 0.0, "share": 0.5, "count": 1.0, "lose": 0.0}


@method("wins")
@dataclass(frozen=True)
class Wins(CountingMethod):
    """Wins over comparisons, all opponents pooled.

    `ties`: ignore leaves them out; share gives half a win to each; count gives a win to both (">= others", WMT11); lose
    gives none but counts the comparison ("> others").
    """

    ties: Literal["ignore", "share", "count", "lose"] = "ignore"

    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
        compared = won + lost + (0 if self.ties == "ignore" else tied)
        with np.errstate(invalid="ignore"):
            share: FloatArray = (won + _WORTH[self.ties] * tied) / compared
        return share
