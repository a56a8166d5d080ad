"""Metrics on the same cells: what a test between metrics sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch, Statistic
from assay.agreement.acc23 import Acc23
from assay.agreement.acc_star import AccStar
from assay.agreement.tau23 import Tau23
from assay.agreement.tau_star import TauStar
from assay.agreement.tie_calibration import best_epsilon
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    from assay.metric_tests import MetricCells

__all__ = ["Problem", "fitted", "has_threshold"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Scores of metrics on common cells, and the statistic to compare them by."""

    metrics: FloatArray
    """(metric, system, segment); 0 outside the mask."""
    human: FloatArray
    """(system, segment)."""
    mask: npt.NDArray[np.bool_]
    """(system, segment)."""
    statistics: tuple[Statistic, ...]
    """Of each metric: the same, except for a threshold that was calibrated."""
    level: str
    grouping: str
    is_weighted: bool
    pairs: npt.NDArray[np.bool_] | None = None
    segment: IntArray | None = None
    """The segment of each column; None: every column is a segment of its own."""
    stream: str = ""
    threads: int = 1
    standardises: bool = True
    """Whether the metrics are standardised before their scores are swapped."""

    @classmethod
    def of(
        cls,
        cells: MetricCells,
        members: Sequence[int],
        statistics: tuple[Statistic, ...],
        mask: npt.NDArray[np.bool_],
        level: str,
        grouping: str,
        is_weighted: bool,
        *,
        stream: str = "",
        threads: int = 1,
    ) -> Problem:
        """Some of the metrics on some of the cells."""
        return cls(
            np.where(mask, cells.metrics[list(members)], 0.0),
            np.where(mask, cells.human[members[0]], 0.0),
            mask,
            statistics,
            level,
            grouping,
            is_weighted,
            cells.pairs,
            cells.segment,
            stream,
            threads,
        )

    @property
    def compares_means(self) -> bool:
        """Whether the statistic is one of system scores. If there are several segments, these are their means."""
        return self.level == "system" and not self.statistics[0].reads_segments

    @property
    def n(self) -> int:
        """The number of cells; for system scores and statistics of systems, the number of systems."""
        is_by_system = self.level == "system"
        return int(self.mask.any(axis=1).sum()) if is_by_system else int(self.mask.sum())

    @cached_property
    def values(self) -> FloatArray:
        """The value of each metric; NaN if undefined."""
        return np.array(
            [
                statistic.compute(self.batch(scores)).mean(is_weighted=self.is_weighted)
                for statistic, scores in zip(self.statistics, self.metrics, strict=True)
            ]
        )

    @cached_property
    def swappable(self) -> FloatArray:
        """The metrics on one scale: each has mean 0 and standard deviation 1, or all of them together have."""
        scores = self.metrics[:, self.mask]
        axis = 1 if self.standardises else None
        centred = scores - scores.mean(axis=axis, keepdims=True)
        deviation = centred.std(axis=axis, keepdims=True)
        table = np.zeros_like(self.metrics)
        table[:, self.mask] = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)
        return table

    def batch(self, scores: FloatArray) -> Batch:
        """The groups of one metric, whose scores are (system, segment)."""
        if self.compares_means:
            metric, human = (means(side, self.mask)[np.newaxis] for side in (scores, self.human))
            return Batch(metric, human, np.asarray(self.mask.any(axis=1))[np.newaxis], self.pairs)
        if self.grouping == "system":
            return Batch(scores, self.human, self.mask)
        if self.grouping == "none" and not self.statistics[0].reads_segments:
            return Batch(scores.reshape(1, -1), self.human.reshape(1, -1), self.mask.reshape(1, -1))
        return Batch(scores.T, self.human.T, self.mask.T, self.pairs)


def means(scores: FloatArray, mask: npt.NDArray[np.bool_]) -> FloatArray:
    """The mean over the segments of each system; 0 if it has none."""
    counts = mask.sum(axis=-1)
    averages: FloatArray = np.where(mask, scores, 0.0).sum(axis=-1) / np.maximum(counts, 1)
    return averages


def fitted(problem: Problem) -> Statistic:
    """The statistic of a problem with one metric, with its threshold calibrated if it has one."""
    (statistic,) = problem.statistics
    if not isinstance(statistic, AccStar | TauStar):
        return statistic
    epsilon = best_epsilon(problem.batch(problem.metrics[0]))
    return Acc23(epsilon) if isinstance(statistic, AccStar) else Tau23(epsilon)


def has_threshold(statistic: Statistic) -> bool:
    """Whether the metric ties scores that differ by less than a threshold, which is a number on its own scale."""
    return isinstance(statistic, AccStar | TauStar) or bool(getattr(statistic, "epsilon", 0.0))
