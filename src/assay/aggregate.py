"""From a table of statistics to scores, for every metric by one path: weigh, sum, score.

Corpus scores weigh every segment 1; a group weighs its members 1 and the others 0; a bootstrap resample weighs a
segment by how often it was drawn. The mean of segment scores is the corpus score of the *mean table*, whose two columns
are a segment's score and 1 (0 and 0 where the score is undefined), and whose score is the ratio of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.types import FloatArray, Table

__all__ = ["Scorable", "interval", "mean_of", "resampled_scores", "totals"]


@dataclass(frozen=True, slots=True)
class Scorable:
    """A table (system, segment, column) and the function that scores sums of its rows."""

    table: Table
    score: Callable[[Table], FloatArray]

    def take(self, segments: npt.NDArray[np.intp]) -> Scorable:
        """The same over some of the segments, each at most once."""
        if len(segments) == self.table.shape[1]:
            return self
        return Scorable(np.ascontiguousarray(self.table[:, segments]), self.score)

    def values(self, *, threads: int) -> FloatArray:
        """The score of each system over all segments."""
        return self.score(totals(self.table, threads=threads))


def totals(table: Table, *, threads: int) -> Table:
    """(system, column): the sum over segments, exact for integers, in a fixed order for reals."""
    ones = np.ones((1, table.shape[1]), dtype=np.uint32)
    sums: Table = _core.Summable(table).sums(ones, threads)[:, 0]
    return sums


def mean_of(segment_scores: FloatArray) -> Scorable:
    """The mean table of segment scores (system, segment); undefined ones take no part."""
    defined = ~np.isnan(segment_scores)
    table = np.stack([np.where(defined, segment_scores, 0.0), defined.astype(np.float64)], axis=-1)
    return Scorable(table, _mean_score)


def _mean_score(sums: Table) -> FloatArray:
    with np.errstate(invalid="ignore"):
        mean: FloatArray = sums[..., 0] / sums[..., 1]
    return mean


def resampled_scores(
    scorables: Iterable[Scorable], weights: Iterable[npt.NDArray[np.uint32]], *, threads: int
) -> list[FloatArray]:
    """For each scorable, the scores (system, resample). All see the same draws."""
    asked = list(scorables)
    summables = [_core.Summable(scorable.table) for scorable in asked]
    sums: list[list[Table]] = [[scorable.table[:, :0]] for scorable in asked]
    for block in weights:
        for summable, blocks in zip(summables, sums, strict=True):
            blocks.append(summable.sums(block, threads))
    return [s.score(np.concatenate(blocks, axis=1)) for s, blocks in zip(asked, sums, strict=True)]


def interval(replicates: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Percentile interval (Efron 1979) of each row: the two quantiles that leave equal tails."""
    ordered = np.sort(replicates, axis=-1)

    def quantile(share: float) -> FloatArray:
        """Between the two nearest order statistics, linearly."""
        place = share * (ordered.shape[-1] - 1)
        below = min(int(place), ordered.shape[-1] - 1)
        above = min(below + 1, ordered.shape[-1] - 1)
        found: FloatArray = ordered[..., below] + (place - below) * (ordered[..., above] - ordered[..., below])
        return found

    tail = (1 - confidence) / 2
    return quantile(tail), quantile(1 - tail)
