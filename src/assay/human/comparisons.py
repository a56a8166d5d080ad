"""Pairwise judgements from rankings or scores: the first system is better, the second is, or they tie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types import UNRANKED, FloatArray, IntArray, Rankings, ScoreTable

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Comparisons", "DrawnUnit", "comparisons_of", "drawn_by", "preferences_by_threshold"]

DrawnUnit: TypeAlias = Literal["pair", "ranking", "segment"]
"""What a resample of judgements draws: single pairs, whole rankings, or all rankings of a segment."""

FIRST_BETTER, TIE, SECOND_BETTER = range(3)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparisons:
    """One row per pairwise judgement: the ranking it comes from, two systems (first < second) and the outcome."""

    systems: tuple[str, ...]
    rankings: int
    ranking: IntArray
    first: IntArray
    second: IntArray
    outcome: IntArray

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def ties(self) -> int:
        """The number of ties."""
        return int((self.outcome == TIE).sum())

    def outcomes(self, weights: npt.NDArray[np.uint32] | None = None) -> npt.NDArray[np.int64]:
        """Counts (system, system, 3) of "first better", ties and "second better", with weights of the rankings."""
        size = len(self.systems)
        codes = (self.first * size + self.second) * 3 + self.outcome
        row_weights = None if weights is None else weights[self.ranking]
        counts = np.bincount(codes, weights=row_weights, minlength=size * size * 3)
        return counts.astype(np.int64).reshape(size, size, 3)

    def wins(self, weights: npt.NDArray[np.uint32] | None = None) -> tuple[FloatArray, FloatArray]:
        """Counts (system, system): how often the row beat the column, and how often they tied."""
        return wins_of(self.outcomes(weights))


def wins_of(outcomes: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Wins of the row over the column, and ties, from counts of outcomes."""
    won = outcomes[..., FIRST_BETTER] + outcomes[..., SECOND_BETTER].T
    tied = outcomes[..., TIE] + outcomes[..., TIE].T
    return won.astype(np.float64), tied.astype(np.float64)


def comparisons_of(rankings: Rankings) -> Comparisons:
    """All pairs of systems that were ranked together; equal ranks tie."""
    blocks = []
    for i in range(len(rankings.systems)):
        for j in range(i + 1, len(rankings.systems)):
            ranks, other_ranks = rankings.ranks[:, i], rankings.ranks[:, j]
            rows = np.flatnonzero((ranks != UNRANKED) & (other_ranks != UNRANKED))
            if len(rows):
                outcome = np.sign(ranks[rows].astype(np.int64) - other_ranks[rows]) + 1
                pair = np.broadcast_to(np.array([[i], [j]]), (2, len(rows)))
                blocks.append(np.vstack([rows, pair, outcome]))
    if not blocks:
        raise InputError(f"the rankings '{rankings.name}' never compare two systems", path=rankings.origin or None)
    ranking, first, second, outcome = np.hstack(blocks)
    return Comparisons(rankings.systems, len(rankings), ranking, first, second, outcome)


def drawn_by(comparisons: Comparisons, unit: DrawnUnit, segment: IntArray) -> Comparisons:
    """The same, with resamples that draw these units; `segment` is the segment of each ranking."""
    if unit == "ranking":
        return comparisons
    if unit == "pair":
        return replace(comparisons, rankings=len(comparisons), ranking=np.arange(len(comparisons)))
    segments, index = np.unique(segment, return_inverse=True)
    return replace(comparisons, rankings=len(segments), ranking=index[comparisons.ranking])


def preferences_by_threshold(scores: ScoreTable, threshold: float = 25.0, *, tolerance: float = 1e-6) -> Rankings:
    """DA to relative ranking: a preference for each pair of outputs with scores at least `threshold` apart (WMT17-20).

    Stored scores are rounded, so a difference counts if it is at most `tolerance` below the threshold.
    """
    values = scores.oriented
    blocks: list[npt.NDArray[np.int64]] = []
    for i in range(len(scores.systems)):
        for j in range(i + 1, len(scores.systems)):
            difference = values[i] - values[j]
            segments = np.flatnonzero(np.abs(difference) >= max(threshold - tolerance, tolerance))
            better, worse = np.where(difference[segments] > 0, i, j), np.where(difference[segments] > 0, j, i)
            blocks.append(np.vstack([segments, better, worse]))
    segment, better, worse = np.hstack(blocks) if blocks else np.empty((3, 0), dtype=np.int64)
    ranks = np.full((len(segment), len(scores.systems)), UNRANKED, dtype=np.int8)
    rows = np.arange(len(segment))
    ranks[rows, better], ranks[rows, worse] = 1, 2
    name = f"{scores.name} at least {threshold:g} apart"
    judge = np.zeros(len(segment), dtype=np.int64)
    return Rankings(name, scores.systems, ("unknown",), judge, segment, ranks, scores.origin, scores.digest)
