"""Permutation tests: scores are swapped between two metrics by coins, and the statistic is computed again."""

from __future__ import annotations

import zlib
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from assay.agreement import Statistic
from assay.checks import check_integer
from assay.errors import ConfigError
from assay.metric_tests import MetricTest, PRule, Sides
from assay.metric_tests.problem import Problem, pairs_of
from assay.metric_tests.swapped_values import swapped_differences, swaps_whole_groups
from assay.resample import MAX_RESAMPLES, MAX_SEED, RESAMPLES, SEED
from assay.results import MetricDifferences
from assay.types import FloatArray

__all__ = ["Permutation", "coins", "from_draws", "p_of_draws"]

_TOLERANCE = 1e-10  # differences closer than this are equal; the smallest step of a statistic is far above it
_MAX_CELLS = 1 << 25  # coins held at a time


@dataclass(frozen=True)
class Permutation(MetricTest):
    """p = (1 + number of resamples with a difference at least as high) / (1 + resamples).

    `p=share` is the share of such resamples, which may be 0 (mt-metrics-eval). A resample whose statistic is undefined
    counts as one with a higher difference. Metrics are standardised before their scores are swapped, because scores on
    different scales are not exchangeable; `standardise=no` is for metrics that share a scale.
    """

    resamples: int = RESAMPLES
    seed: int = SEED
    sides: Sides = "one"
    p: PRule = "add-one"
    standardise: bool = True

    unit: ClassVar[str]
    """What has one coin: cell, segment, system, or both."""

    def __post_init__(self) -> None:
        check_integer("resamples", self.resamples, 1, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED)

    def check(self, statistic: Statistic, level: str, grouping: str) -> None:
        """Rankings share the outputs of a segment, and thresholds belong to one metric."""
        if grouping == "ranking" and self.unit != "segment":
            raise ConfigError(f"{self.name} does not apply to rankings", hint="use perm-segments")
        is_whole = level != "system" and swaps_whole_groups(self.unit, grouping)
        if statistic.has_threshold and not is_whole:
            message = (
                f"{statistic.name} ties scores within a threshold of each metric, which swapped scores do not have"
            )
            raise ConfigError(message, hint="use perm-segments and grouping item")

    def test(self, problem: Problem) -> MetricDifferences:
        problem = replace(problem, standardises=self.standardise)
        differences = [swapped_differences(problem, swaps, self.unit) for swaps in self._resamples(problem)]
        draws = np.concatenate(differences, axis=1)
        return from_draws(self, problem, draws)

    @abstractmethod
    def swaps(self, random: np.random.PCG64, count: int, systems: int, segments: int) -> npt.NDArray[np.bool_]:
        """(resample, system, segment): which cells are swapped; an axis of length 1 stands for all."""

    def _resamples(self, problem: Problem) -> Iterator[npt.NDArray[np.bool_]]:
        """(resample, system, column), in blocks. Coins do not depend on the mask, nor on the size of a block."""
        random = np.random.PCG64(np.random.SeedSequence([self.seed, zlib.crc32(problem.stream.encode())]))
        systems, columns = problem.mask.shape
        segment = np.arange(columns)
        if problem.segment is not None:
            segment = np.unique(problem.segment, return_inverse=True)[1]
        segments = int(segment.max(initial=0)) + 1
        block = max(1, _MAX_CELLS // max(systems * columns, 1))
        for first in range(0, self.resamples, block):
            count = min(block, self.resamples - first)
            swaps = np.broadcast_to(self.swaps(random, count, systems, segments), (count, systems, segments))
            yield swaps if problem.segment is None else swaps[:, :, segment]


def coins(random: np.random.PCG64, count: int, size: int) -> npt.NDArray[np.bool_]:
    """(resample, coin). Raw bits, which every version of NumPy draws alike."""
    words = random.random_raw((count, (size + 63) // 64)).astype("<u8")
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :size].view(np.bool_)


def from_draws(test: MetricTest, problem: Problem, draws: FloatArray) -> MetricDifferences:
    """The result of a test from the differences of all pairs (pair, resample)."""
    first, second = pairs_of(len(problem.metrics))
    observed = problem.values[first] - problem.values[second]
    better, worse = p_of_draws(observed, draws, test.sides, test.p)
    reason = "the agreement of a metric is undefined"
    return test.of_pairs(problem, better, worse, [reason if is_nan else None for is_nan in np.isnan(observed)], draws)


def p_of_draws(observed: FloatArray, draws: FloatArray, sides: str, p: str) -> tuple[FloatArray, FloatArray]:
    """The p-values of "the first is better" and "the second is better" from differences and draws (pair, resample)."""

    def tail(differences: FloatArray, resampled: FloatArray) -> FloatArray:
        at_least = (~(resampled < differences[:, np.newaxis] - _TOLERANCE)).sum(axis=1)  # undefined draws count
        share = (1 + at_least) / (1 + draws.shape[1]) if p == "add-one" else at_least / draws.shape[1]
        return np.where(np.isnan(differences), np.nan, share)

    if sides == "two":
        both = tail(np.abs(observed), np.abs(draws))
        return both, both
    return tail(observed, draws), tail(-observed, -draws)
