"""Alignment of metric scores with individual rankings: each ranking is a group, and its ranked outputs are the items.

Rankings of one segment by several judges all count, as in the WMT metrics tasks from 2008 to 2016. A micro average of
Kendall's tau over rankings is tau over all their pairs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.agreement import Batch
from assay.errors import InputError
from assay.lazily import numpy as np
from assay.metaeval.alignment import Aligned, map_cells, negation_note
from assay.types import METRIC_REFERENCE, UNRANKED, IntArray, Rankings, ScoreTable

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["AlignedRankings", "align_rankings"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AlignedRankings(Aligned):
    """Like `Aligned`, with cells of shape (ranking, position)."""

    ranked: IntArray
    """(ranking, position): the index of the system at that position; -1: no system."""
    segment: IntArray
    """The segment of each ranking."""

    @property
    def segments(self) -> int:
        """The number of segments with a ranking that counts."""
        return len(self.resampled_items)

    def without(self, systems: Collection[str], reason: str) -> AlignedRankings:
        """The same without some systems."""
        kept = [name for name in self.systems if name not in systems]
        index = np.array([kept.index(name) if name in kept else -1 for name in self.systems] + [-1])
        ranked = index[self.ranked]
        return replace(
            self,
            systems=tuple(kept),
            ranked=ranked,
            cells=Batch(self.cells.metric, self.cells.human, self.cells.mask & (ranked >= 0)),
            excluded={**self.excluded, **{name: reason for name in self.systems if name in systems}},
        )

    def batch(self, grouping: str) -> Batch:
        """The rankings with at least one scored output. Every ranking is its own group."""
        filled = self._filled
        return map_cells(self.cells, lambda array: array[filled])

    @property
    def _filled(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.cells.mask.any(axis=1))

    @property
    def outputs(self) -> IntArray:
        """The number of each scored output: the same in all rankings of its segment."""
        filled = self._filled
        numbers: IntArray = self.segment[filled, np.newaxis] * len(self.systems) + np.maximum(self.ranked[filled], 0)
        return numbers

    @property
    def resampled_items(self) -> npt.NDArray[np.intp]:
        """The segments. Rankings of one segment share its outputs, so they are not independent."""
        return np.unique(self.segment[self._filled])

    @property
    def item_of_group(self) -> npt.NDArray[np.intp]:
        """For each ranking: the position of its segment among `resampled_items`."""
        return np.searchsorted(self.resampled_items, self.segment[self._filled])

    def resample(self, items: IntArray) -> AlignedRankings:
        """The same with all rankings of these segments, some of them repeated."""
        rows = _positions(self.segment, items)
        cells = map_cells(self.cells, lambda array: array[rows])
        return replace(self, cells=cells, ranked=self.ranked[rows], segment=self.segment[rows])


def _positions(numbers: IntArray, wanted: IntArray) -> IntArray:
    """The positions of each wanted number, one number after the other."""
    order = np.argsort(numbers, kind="stable")
    first, last = (np.searchsorted(numbers[order], wanted, side=side) for side in ("left", "right"))
    return np.concatenate([order[begin:end] for begin, end in zip(first, last, strict=True)])


def align_rankings(scores: ScoreTable, rankings: Rankings) -> AlignedRankings:
    """Align the metric's score of each ranked output with its rank."""
    if scores.level != "segment":
        raise InputError(f"'{scores.name}' has {scores.level} scores, not segment scores", path=scores.origin or None)
    if len(rankings) and int(rankings.segment.max()) >= scores.values.shape[1]:
        raise InputError(
            f"the rankings '{rankings.name}' cover {int(rankings.segment.max()) + 1:,} segments, "
            f"but '{scores.name}' has scores for {scores.values.shape[1]:,}",
            path=rankings.origin or None,
        )
    systems = tuple(sorted(rankings.systems))
    ranks = rankings.take(systems).ranks
    positions = max(int((ranks != UNRANKED).sum(axis=1).max(initial=0)), 1)
    ranked = np.argsort(ranks == UNRANKED, axis=1, kind="stable")[:, :positions]
    human = np.take_along_axis(ranks, ranked, axis=1)
    metric = scores.take(systems).oriented[ranked, rankings.segment[:, np.newaxis]]
    has_rank = human != UNRANKED
    mask = has_rank & ~np.isnan(metric)
    aligned = AlignedRankings(
        metric=scores.name,
        human=rankings.name,
        level="segment",
        systems=systems,
        cells=Batch(np.where(mask, metric, 0.0), -human.astype(np.float64), mask),
        segments_used=mask,
        source="rankings",
        excluded={},
        extra_notes=negation_note(scores),
        ranked=np.where(has_rank, ranked, -1),
        segment=rankings.segment,
        documents=scores.documents,
    )
    aligned = aligned.without(scores.references, METRIC_REFERENCE)
    judged, scored = (set(np.unique(aligned.ranked[cells])) for cells in (aligned.ranked >= 0, aligned.cells.mask))
    unranked = [name for i, name in enumerate(aligned.systems) if i not in judged]
    unscored = [name for i, name in enumerate(aligned.systems) if i in judged and i not in scored]
    return aligned.without(unranked, "never ranked").without(unscored, "no metric score")
