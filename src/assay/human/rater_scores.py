"""The scores of individual raters, one row per rater and output, sorted so that raters can be compared quickly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray, Ratings, ScoreTable

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Overlap", "RaterScores", "rater_scores_of_ratings", "rater_scores_of_tables"]


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """One rater against all later ones: a row per other rater, a column per common output; see `mask`."""

    own: FloatArray
    other: FloatArray
    mask: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class RaterScores:
    """Rows of rater (from 0, everyone has a row), cell and score, sorted by cell and rater, one per rater and cell.

    A cell is an output: system * segments + segment.
    """

    raters: int
    segments: int
    rater: IntArray
    cell: IntArray
    score: FloatArray

    @property
    def system(self) -> IntArray:
        """The system of each cell that somebody scored, in order."""
        systems: IntArray = np.unique(self.cell) // self.segments
        return systems

    def overlaps(self) -> Iterator[Overlap]:
        """The common outputs of each rater and the later ones; raters without any are left out."""
        ends = np.append(np.flatnonzero(np.diff(self.cell)) + 1, len(self.cell))
        end = ends[np.searchsorted(ends, np.arange(len(self.cell)), side="right")]
        by_rater = np.argsort(self.rater, kind="stable")
        starts = np.searchsorted(self.rater[by_rater], np.arange(self.raters + 1))
        for rater in range(self.raters):
            rows = by_rater[starts[rater] : starts[rater + 1]]
            # The rows after a row, up to the end of its cell, are the scores of later raters for the same output.
            later = end[rows] - rows - 1
            own = np.repeat(rows, later)
            other = own + 1 + np.arange(len(own)) - np.repeat(np.cumsum(later) - later, later)
            if len(own):
                yield self._padded(own, other)

    def _padded(self, own: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> Overlap:
        order = np.argsort(self.rater[other], kind="stable")
        _, line, counts = np.unique(self.rater[other[order]], return_inverse=True, return_counts=True)
        column = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        shape = len(counts), int(counts.max())
        values = np.zeros((2, *shape))
        mask = np.zeros(shape, dtype=np.bool_)
        values[0, line, column], values[1, line, column] = self.score[own[order]], self.score[other[order]]
        mask[line, column] = True
        return Overlap(values[0], values[1], mask)

    def halvings(self, halves: Iterator[npt.NDArray[np.bool_]]) -> Iterator[FloatArray]:
        """(half, cell) for each way to halve the raters: the mean score of each scored cell; NaN if a half has none."""
        _, number = np.unique(self.cell, return_inverse=True)
        for is_second in halves:
            yield self._half_means(number, int(number.max(initial=-1)) + 1, is_second)

    def _half_means(self, number: IntArray, cells: int, is_second: npt.NDArray[np.bool_]) -> FloatArray:
        codes = number + cells * is_second[self.rater]
        sums = np.bincount(codes, weights=self.score, minlength=2 * cells)
        with np.errstate(invalid="ignore"):
            means: FloatArray = (sums / np.bincount(codes, minlength=2 * cells)).reshape(2, cells)
        return means


def rater_scores_of_ratings(ratings: Ratings) -> RaterScores:
    """The mean of the scores that a rater gave to an output."""
    rows = np.flatnonzero((ratings.segment >= 0) & ~np.isnan(ratings.score))
    segments = 1 + int(ratings.segment.max(initial=0))
    cell = ratings.system[rows] * segments + ratings.segment[rows]
    _, rater = np.unique(ratings.rater[rows], return_inverse=True)
    return _sorted(rater, cell, ratings.score[rows], segments)


def rater_scores_of_tables(tables: Sequence[ScoreTable]) -> RaterScores:
    """The scores of raters that are stored in a table each. Tables of other sizes have other segments."""
    systems = {name: i for i, name in enumerate(dict.fromkeys(name for table in tables for name in table.systems))}
    sizes = sorted({table.values.shape[1] for table in tables})
    segments = sum(sizes)
    parts = []
    for rater, table in enumerate(tables):
        row, segment = np.nonzero(~np.isnan(table.values))
        system = np.array([systems[name] for name in table.systems])[row]
        first = sum(sizes[: sizes.index(table.values.shape[1])])
        parts.append((np.full(len(row), rater), system * segments + first + segment, table.values[row, segment]))
    none = np.empty(0, dtype=np.int64)
    raters = np.concatenate([none, *(part[0] for part in parts)])
    cells = np.concatenate([none, *(part[1] for part in parts)])
    scores = np.concatenate([np.empty(0), *(part[2] for part in parts)])
    return _sorted(raters, cells, scores, segments, len(tables))


def _sorted(
    rater: IntArray, cell: IntArray, score: FloatArray, segments: int, raters: int | None = None
) -> RaterScores:
    order = np.lexsort((rater, cell))
    rater, cell, score = rater[order], cell[order], score[order]
    is_first = np.ones(len(rater), dtype=np.bool_)
    is_first[1:] = (np.diff(rater) != 0) | (np.diff(cell) != 0)
    starts = np.flatnonzero(is_first)
    if len(starts) < len(rater):  # someone rated an output again
        score = np.add.reduceat(score, starts) / np.diff(np.append(starts, len(score)))
        rater, cell = rater[starts], cell[starts]
    count = int(rater.max(initial=-1)) + 1 if raters is None else raters
    return RaterScores(count, segments, rater, cell, score)
