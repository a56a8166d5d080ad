"""The share of comparisons that a system wins, with WMT's treatments of ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.human.methods import CountingMethod, method
from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["Wins"]

_WORTH = {"ignore": 0.0, "share": 0.5, "count": 1.0, "lose": 0.0}


@method("wins")
@dataclass(frozen=True)
class Wins(CountingMethod):
    """Wins / comparisons, with all opponents pooled.

    `ties`: `ignore` leaves ties out; `share` gives each system half a win; `count` gives both a win (">= others",
    WMT11); `lose` gives neither a win but counts the comparison ("> others").
    """

    ties: Literal["ignore", "share", "count", "lose"] = "ignore"

    def from_counts(self, wins: FloatArray, ties: FloatArray) -> FloatArray:
        won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
        compared = won + lost + (0 if self.ties == "ignore" else tied)
        with np.errstate(invalid="ignore"):
            share: FloatArray = (won + _WORTH[self.ties] * tied) / compared
        return share
