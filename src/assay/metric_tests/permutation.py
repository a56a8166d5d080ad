"""Permutation tests: scores are swapped between two metrics by coins, and the statistic is computed again."""

from __future__ import annotations

import zlib
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from assay.agreement import Statistic
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metric_tests.drawing import DrawingTest
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.problem import Problem
from assay.metric_tests.swapped_values import swapped_differences, swaps_whole_groups
from assay.types import FloatArray, Mask

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Permutation", "toss"]

_MAX_CELLS = 1 << 25  # coins held at a time

"""(resample, coin)."""


@dataclass(frozen=True)
class Permutation(DrawingTest):
    """Swaps scores by `resamples` random sets of coins, or by every set if there are no more than `resamples`.

    Over every set, the test is exact: p is the share of sets with a difference at least as high, the observed one among
    them. Metrics are standardised before their scores are swapped, because scores on different scales are not
    exchangeable; `standardise=no` is for metrics that share a scale.
    """

    standardise: bool = True

    unit: ClassVar[str]
    """What has one coin: cell, segment, system, or both."""
    exchangeable: ClassVar[str]
    """The null hypothesis, with a `{}` for the scores that are swapped."""

    @property
    def null(self) -> str:
        """What must be exchangeable."""
        return self.exchangeable.format("standardised scores" if self.standardise else "scores")

    def check_statistic(self, statistic: Statistic, level: str, grouping: str) -> None:
        """Rankings share the outputs of a segment, and thresholds belong to one metric."""
        if grouping == "ranking" and self.unit != "segment":
            raise ConfigError(f"{self.name} does not apply to rankings", hint="use perm-segments")
        is_whole = level != "system" and swaps_whole_groups(self.unit, grouping)
        if statistic.has_threshold and not is_whole:
            message = (
                f"{statistic.name} ties scores within a threshold of each metric, which swapped scores do not have"
            )
            raise ConfigError(message, hint="use perm-segments and grouping item")

    def test(self, problem: Problem) -> MetricPairs:
        problem = replace(problem, standardises=self.standardise)
        return self.from_draws(problem, self._drawn(problem), self._every(problem.trimmed()))

    @abstractmethod
    def coins(self, systems: int, segments: int) -> int:
        """The number of coins that are tossed for a resample."""

    @abstractmethod
    def swaps(self, coins: Mask, systems: int, segments: int) -> npt.NDArray[np.bool_]:
        """(resample, system, segment): which cells are swapped; an axis of length 1 stands for all."""

    def _drawn(self, problem: Problem) -> FloatArray:
        """(pair, resample): after random swaps. Coins do not depend on the mask, nor on the size of a block."""
        random = np.random.PCG64(np.random.SeedSequence([self.seed, zlib.crc32(problem.stream.encode())]))
        size = self.coins(len(problem.mask), problem.segments)
        block = _block(problem)
        counts = (min(block, self.resamples - first) for first in range(0, self.resamples, block))
        return self._differences(problem, (toss(random, count, size) for count in counts))

    def _every(self, problem: Problem) -> FloatArray | None:
        """(pair, set of coins): after all possible swaps; None: they are too many."""
        size = self.coins(len(problem.mask), problem.segments)
        if not 0 < size < self.resamples.bit_length():  # nothing to swap, or 2^size > resamples
            return None
        sets, block = np.arange(2**size), _block(problem)
        blocks = (sets[first : first + block, np.newaxis] for first in range(0, len(sets), block))
        return self._differences(problem, ((numbers >> np.arange(size) & 1).astype(np.bool_) for numbers in blocks))

    def _differences(self, problem: Problem, blocks: Iterator[Mask]) -> FloatArray:
        systems, segments = len(problem.mask), problem.segments
        differences = []
        for coins in blocks:
            swaps = np.broadcast_to(self.swaps(coins, systems, segments), (len(coins), systems, segments))
            columns = swaps if problem.segment is None else swaps[:, :, problem.segment_of_column]
            differences.append(swapped_differences(problem, columns, self.unit))
        return np.concatenate(differences, axis=1)


def _block(problem: Problem) -> int:
    """The number of resamples at a time."""
    return max(1, _MAX_CELLS // max(problem.mask.size, 1))


def toss(random: np.random.PCG64, count: int, size: int) -> Mask:
    """Random coins. Raw bits, which every version of NumPy draws alike."""
    words = random.random_raw((count, (size + 63) // 64)).astype("<u8")
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :size].view(np.bool_)
