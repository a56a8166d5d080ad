"""Approximate randomisation (Noreen 1989; Riezler & Maxwell 2005): segments are swapped between systems at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MethodType

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import AlignmentError, ConfigError
from assay.significance import PValue, Test, score_of, test
from assay.types import FloatArray, Scorable

__all__ = ["Randomisation"]

_TOLERANCE = 1e-12
_BLOCK_CELLS = 1 << 20  # resamples come in blocks to bound the memory that they need


@test("randomisation")
@dataclass(frozen=True)
class Randomisation(Test):
    """Paired. p = (1 + number of resamples with a difference at least as high) / (1 + resamples).

    A resample swaps each segment between the systems with probability 1/2. It works for any scorable: the scores of a
    resample are those of the swapped rows.
    """

    resamples: int = 1000
    seed: int = 12345

    is_paired = True

    def __post_init__(self) -> None:
        if not 1 <= self.resamples <= 10**7:
            raise ConfigError(f"resamples must be between 1 and 10,000,000, not {self.resamples}")
        if not 0 <= self.seed < 2**64:
            raise ConfigError(f"seed must be between 0 and 2^64 - 1, not {self.seed}")

    def p_value(self, first: Scorable, second: Scorable) -> PValue:
        """One-sided: first scores higher."""
        same_kind = first.table.shape == second.table.shape and first.is_mean == second.is_mean
        if not same_kind or not _is_same_function(first.score, second.score):
            raise AlignmentError(f"'{first.systems[0]}' and '{second.systems[0]}' are not scored by the same metric")
        if not first.table.shape[1]:
            return PValue(math.nan, "the systems have no segment in common")
        if np.array_equal(first.table, second.table):
            return PValue(1.0)
        if first.is_mean:
            at_least = self._count_means(first.table[0, :, 0] - second.table[0, :, 0])
        elif math.isnan(observed := score_of(first) - score_of(second)):
            return PValue(math.nan, "a score is undefined")
        else:
            at_least = self._count(first, second, observed)
        return PValue((1 + at_least) / (1 + self.resamples))

    def _count_means(self, difference: FloatArray) -> int:
        """The number of resamples whose mean difference is at least as high as the observed one.

        Swapping negates a segment's difference, so the sum of the swapped differences decides.
        """
        table = _core.Summable(difference.reshape(1, -1, 1))
        rounding = _TOLERANCE * float(np.abs(difference).sum())
        return sum(int((table.sums(coins, 1) <= rounding).sum()) for coins in self._coins(len(difference)))

    def _count(self, first: Scorable, second: Scorable, observed: float) -> int:
        """As `_count_means`, for any score. A resample with an undefined score counts, so that p is never too low."""
        tables = _core.Summable(np.concatenate([first.table, second.table]))
        rounding = _TOLERANCE * (abs(score_of(first)) + abs(score_of(second)))
        at_least = 0
        for coins in self._coins(first.table.shape[1]):
            swapped, kept = tables.sums(coins, 1), tables.sums(1 - coins, 1)
            difference = first.score(kept[0] + swapped[1]) - second.score(kept[1] + swapped[0])
            at_least += int((~(difference < observed - rounding)).sum())
        return at_least

    def _coins(self, segments: int) -> Iterator[npt.NDArray[np.uint32]]:
        """Blocks (resample, segment) of 0 and 1; 1 means that the segment is swapped."""
        rows = max(1, _BLOCK_CELLS // segments)
        for begin in range(0, self.resamples, rows):
            yield _core.coin_weights(begin, min(rows, self.resamples - begin), segments, self.seed, 1)


def _is_same_function(first: Callable[..., object], second: Callable[..., object]) -> bool:
    """Whether two functions are equal; methods are if their objects are, such as two metrics with the same options."""
    if isinstance(first, MethodType) and isinstance(second, MethodType):
        return first.__func__ is second.__func__ and bool(first.__self__ == second.__self__)
    return first == second
