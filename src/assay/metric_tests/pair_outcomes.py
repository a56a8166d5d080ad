"""Sign test of pairs of outputs, as mt-metrics-eval's pairwise permutation for accuracies.

Its coins decide for every pair of outputs which of two metrics got it right. Pairs that share an output depend on each
other, so the test rejects too often; it is here for parity, by name only.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from assay.agreement import Statistic
from assay.agreement.acc23 import Acc23
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metric_tests import SMALLEST_P, default_test, metric_test
from assay.metric_tests.drawing import DrawingTest
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.problem import Problem
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PairOutcomes", "outcome_p"]

_CHUNK = 1 << 20  # pairs of outputs at a time; counts in 32-bit floats are exact up to 2^24


@metric_test("pair-outcomes")
@dataclass(frozen=True)
class PairOutcomes(DrawingTest):
    """p = P(Bin(n1 + n2, 1/2) >= n1), where only the first metric gets n1 pairs right and only the second n2.

    It is computed if all groups have the same number of pairs; if not, p is counted over `resamples` random draws.
    Averages over language pairs always need these.
    """

    null = (
        "a pair of outputs that only one of the metrics gets right is as likely to be either's, independently of others"
    )

    def check_statistic(self, statistic: Statistic, level: str, grouping: str) -> None:
        """It counts the pairs that a metric gets right."""
        if statistic.accuracy_scale is None:
            message = f"pair-outcomes compares acc23, tau23, acc-star or tau-star, not {statistic.name}"
            raise ConfigError(message, hint=f"use {default_test(statistic, level)}")

    def test(self, problem: Problem) -> MetricPairs:
        counts, weights = _only_right(problem)
        draws = self._draws(problem, counts, weights)
        if len(weights) != 1:
            return self.from_draws(problem, draws)
        first, second = problem.first, problem.second
        better, worse = (outcome_p(counts[0, i, j], counts[0, j, i]) for i, j in ((first, second), (second, first)))
        if self.sides == "two":
            better = worse = np.minimum(1.0, 2 * np.minimum(better, worse))
        return self.of_pairs(problem, better, worse, [None] * len(first), draws)

    def _draws(self, problem: Problem, counts: IntArray, weights: FloatArray) -> FloatArray:
        """(pair, resample): sums over groups of one size of a binomial with its weight."""
        random = np.random.Generator(np.random.PCG64([self.seed, zlib.crc32(problem.stream.encode())]))
        first, second = problem.first, problem.second
        scale = problem.statistics[0].accuracy_scale or 1.0
        draws = np.zeros((len(first), self.resamples))
        for only_right, weight in zip(counts, weights, strict=True):
            n = (only_right + only_right.T)[first, second]
            heads = random.binomial(n[:, np.newaxis], 0.5, size=draws.shape)
            draws += scale * weight * (2 * heads - n[:, np.newaxis])
        return draws


def _only_right(problem: Problem) -> tuple[IntArray, FloatArray]:
    """(size of groups, metric, metric): the pairs that only the row gets right, in groups of each number of pairs; and
    what a pair of such a group adds to the value."""
    batch = problem.batch(problem.metrics[0])
    rows, columns = np.triu_indices(batch.mask.shape[1], 1)
    counted = batch.mask[:, rows] & batch.mask[:, columns]
    if batch.pairs is not None:
        counted &= batch.pairs[rows, columns]
    pairs = counted.sum(axis=1)
    group_weights = np.where(pairs > 0, batch.sizes if problem.is_weighted else 1.0, 0.0)
    kinds = np.unique(np.stack([pairs, batch.sizes]), axis=1)
    kinds = kinds[:, kinds[0] > 0]
    number = {size: k for k, size in enumerate(zip(*kinds.tolist(), strict=True))}
    of_group = np.array([number.get(size, -1) for size in zip(pairs.tolist(), batch.sizes.tolist(), strict=True)])
    right = np.stack([_right(problem, k, rows, columns) & counted for k in range(len(problem.metrics))])
    counts = np.zeros((len(number), len(right), len(right)), dtype=np.int64)
    for k in range(len(number)):
        cells = right[:, of_group == k].reshape(len(right), -1)
        for begin in range(0, cells.shape[1], _CHUNK):
            part = cells[:, begin : begin + _CHUNK].astype(np.float32)
            both = part @ part.T
            counts[k] += np.rint(np.diag(both)[:, np.newaxis] - both).astype(np.int64)
    of_pair = (kinds[1] if problem.is_weighted else np.ones(kinds.shape[1])) / kinds[0]
    return counts, of_pair / max(group_weights.sum(), 1.0)


def _right(problem: Problem, metric: int, rows: IntArray, columns: IntArray) -> npt.NDArray[np.bool_]:
    """(group, pair): whether a metric orders or ties two outputs as the human scores do."""
    batch, statistic = problem.batch(problem.metrics[metric]), problem.statistics[metric]
    metric_gap = batch.metric[:, rows] - batch.metric[:, columns]
    human_gap = batch.human[:, rows] - batch.human[:, columns]
    epsilon = cast("Acc23", statistic).epsilon  # calibrated: acc23, or tau23, which is one
    order = np.where(np.abs(metric_gap) <= epsilon, 0.0, np.sign(metric_gap))
    return np.asarray(order == np.sign(human_gap))


def outcome_p(wins: IntArray, losses: IntArray) -> FloatArray:
    """P(Bin(wins + losses, 1/2) >= wins)."""
    from scipy.special import bdtrc  # slow to import

    tail: FloatArray = np.where(wins > 0, bdtrc(np.maximum(wins - 1, 0), np.maximum(wins + losses, 1), 0.5), 1.0)
    return np.maximum(tail, SMALLEST_P)
