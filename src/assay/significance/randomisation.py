"""Approximate randomisation (Noreen 1989; Riezler & Maxwell 2005): the two systems' scores change places at random."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay import _core
from assay.errors import ConfigError
from assay.significance import Outcome, Test, test
from assay.types import FloatArray

__all__ = ["Randomisation"]

_TOLERANCE = 1e-12
_BLOCK_CELLS = 1 << 20  # draws are made in blocks, so that any number of them fits into memory


@test("randomisation")
@dataclass(frozen=True)
class Randomisation(Test):
    """Paired. p = (1 + number of draws with a difference at least as high) / (1 + draws).

    A draw turns the sign of each segment's difference with probability 1/2.
    """

    draws: int = 1000
    seed: int = 12345

    is_paired = True

    def __post_init__(self) -> None:
        if not 1 <= self.draws <= 10**7:
            raise ConfigError(f"draws must be between 1 and 10,000,000, not {self.draws}")
        if not 0 <= self.seed < 2**64:
            raise ConfigError(f"seed must be between 0 and 2^64 - 1, not {self.seed}")

    def compare(self, first: FloatArray, second: FloatArray) -> Outcome:
        """One-sided: the mean of first is higher."""
        difference = first - second
        if not len(difference):
            return Outcome(math.nan, 0, "the systems have no segment in common")
        if not difference.any():
            return Outcome(1.0, len(difference))
        table = _core.Summable(difference.reshape(1, -1, 1))
        rounding = _TOLERANCE * float(np.abs(difference).sum())
        rows = max(1, _BLOCK_CELLS // len(difference))
        at_least = 0
        for begin in range(0, self.draws, rows):
            swapped = _core.coin_weights(begin, min(rows, self.draws - begin), len(difference), self.seed, 1)
            at_least += int((table.sums(swapped, 1) <= rounding).sum())  # total - 2 x swapped >= total
        return Outcome((1 + at_least) / (1 + self.draws), len(difference))
