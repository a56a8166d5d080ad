"""Metrics on the same cells: what a test between metrics sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch, Statistic
from assay.metric_tests.cells import MetricCells
from assay.types import FloatArray, IntArray

__all__ = ["Problem", "means", "pairs_of"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Scores of metrics on common cells, and the statistic to compare them by."""

    names: tuple[str, ...]
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
    ) -> Problem:
        """Some of the metrics on some of the cells."""
        return cls(
            tuple(cells.names[i] for i in members),
            np.where(mask, cells.metrics[list(members)], 0.0),
            np.where(mask, cells.human[members[0]], 0.0),
            mask,
            statistics,
            level,
            grouping,
            is_weighted,
            cells.pairs,
            cells.segment,
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
        """The metrics on one scale: each has mean 0 and standard deviation 1, or all of them together have.

        Over the common cells: the system scores where these are compared, else the segment scores. So mt-metrics-eval
        standardises the vector that it correlates, and nlpstats the matrix that it swaps.
        """
        if not self.mask.any():  # the metrics have no cell in common
            return np.zeros_like(self.metrics)
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


def pairs_of(metrics: int) -> tuple[IntArray, IntArray]:
    """The indices of the first and the second metric of each pair, in the order (0, 1), (0, 2), …"""
    first, second = np.triu_indices(metrics, 1)
    return first, second
