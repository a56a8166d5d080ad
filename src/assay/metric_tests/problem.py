"""Metrics on the same cells: what a test between metrics sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from assay.agreement import Batch, Statistic
from assay.lazily import numpy as np
from assay.metric_tests.cells import ComparableMetrics, MetricCells
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Problem", "means"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Scores of metrics on common cells, and the statistic to compare them by."""

    names: tuple[str, ...]
    first: IntArray
    """The first metric of each pair to be tested."""
    second: IntArray
    """The second one, which comes after the first."""
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
        group: ComparableMetrics,
        statistics: tuple[Statistic, ...],
        level: str,
        grouping: str,
        is_weighted: bool,
    ) -> Problem:
        """A group of the metrics on their common cells; `statistics` has one for each of all metrics."""
        members, mask = list(group.members), group.mask
        return cls(
            tuple(cells.names[i] for i in members),
            group.first,
            group.second,
            np.where(mask, cells.metrics[members], 0.0),
            np.where(mask, cells.human[members[0]], 0.0),
            mask,
            tuple(statistics[i] for i in members),
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
        return self.systems if self.level == "system" else int(self.mask.sum())

    @property
    def systems(self) -> int:
        """The number of systems with a cell."""
        return int(self.mask.any(axis=1).sum())

    @property
    def segments(self) -> int:
        """The number of segments, with or without a cell."""
        return self.mask.shape[1] if self.segment is None else int(self.segment_of_column.max(initial=-1)) + 1

    @cached_property
    def segment_of_column(self) -> IntArray:
        """The number of each column's segment, from 0 without gaps."""
        columns = np.arange(self.mask.shape[1]) if self.segment is None else self.segment
        return np.unique(columns, return_inverse=True)[1]

    def trimmed(self) -> Problem:
        """The same without systems and columns that have no cell."""
        rows, columns = self.mask.any(axis=1), self.mask.any(axis=0)
        both = np.ix_(rows, columns)
        return replace(
            self,
            metrics=self.metrics[:, rows][:, :, columns],
            human=self.human[both],
            mask=self.mask[both],
            pairs=None if self.pairs is None else self.pairs[np.ix_(rows, rows)],
            segment=None if self.segment is None else self.segment[columns],
        )

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
