"""Scores of a metric laid on single rankings: each ranking is a group, and its places are the items.

Rankings of one segment by several judges all count, as in the WMT metrics tasks from 2008 to 2016; a micro average of
Kendall's tau over rankings is tau over all their pairs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch
from assay.errors import InputError
from assay.study.pairing import Paired, each, told_if_turned
from assay.types import UNRANKED, IntArray, Rankings, ScoreTable

__all__ = ["PairedRankings", "pair_rankings"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedRankings(Paired):
    """`cells` are (ranking, place)."""

    who: IntArray
    """(ranking, place): which of `systems` stands there; -1: none."""
    segment: IntArray
    """Of each ranking."""

    @property
    def segments(self) -> int:
        """How many segments the rankings are of."""
        return len(np.unique(self.segment[self.cells.given.any(axis=1)]))

    def without(self, systems: Collection[str], reason: str) -> PairedRankings:
        """The same with fewer systems."""
        kept = [name for name in self.systems if name not in systems]
        number = np.array([kept.index(name) if name in kept else -1 for name in self.systems] + [-1])
        who = number[self.who]
        cells = Batch(self.cells.metric, self.cells.human, self.cells.given & (who >= 0))
        return replace(
            self,
            systems=tuple(kept),
            who=who,
            cells=cells,
            left_out={**self.left_out, **{name: reason for name in self.systems if name in systems}},
        )

    def batch(self, grouping: str) -> Batch:
        """Rankings in which something is scored; they are their own groups."""
        filled = self.cells.given.any(axis=1)
        return each(self.cells, lambda part: part[filled])

    @property
    def outputs(self) -> IntArray:
        """An output is in all rankings of its segment that have its system."""
        filled = self.cells.given.any(axis=1)
        numbers: IntArray = self.segment[filled, np.newaxis] * len(self.systems) + np.maximum(self.who[filled], 0)
        return numbers

    @property
    def drawable(self) -> npt.NDArray[np.intp]:
        """The segments that resamples draw from: rankings of one segment share its outputs and are not independent."""
        return np.unique(self.segment[self.cells.given.any(axis=1)])

    @property
    def units(self) -> npt.NDArray[np.intp]:
        """A ranking is drawn with all others of its segment."""
        return np.searchsorted(self.drawable, self.segment[self.cells.given.any(axis=1)])

    def draw(self, places: IntArray) -> PairedRankings:
        """The same with all rankings of these segments, some of them several times."""
        rankings = np.argsort(self.segment, kind="stable")
        ordered = self.segment[rankings]
        first, last = (np.searchsorted(ordered, places, side=side) for side in ("left", "right"))
        rows = np.concatenate([rankings[begin:end] for begin, end in zip(first, last, strict=True)])
        cells = each(self.cells, lambda part: part[rows])
        return replace(self, cells=cells, who=self.who[rows], segment=self.segment[rows])


def pair_rankings(scores: ScoreTable, rankings: Rankings) -> PairedRankings:
    """The metric's score of each output that was ranked, beside its rank."""
    if scores.level != "segment":
        raise InputError(
            f"the scores '{scores.name}' are by {scores.level}, not by segment", path=scores.origin or None
        )
    if len(rankings) and int(rankings.segment.max()) >= scores.values.shape[1]:
        raise InputError(
            f"the rankings '{rankings.name}' are of {int(rankings.segment.max()) + 1:,} segments, "
            f"'{scores.name}' has scores for {scores.values.shape[1]:,}",
            path=rankings.origin or None,
        )
    systems = tuple(sorted(rankings.systems))
    ranks = rankings.take(systems).ranks
    places = max(int((ranks != UNRANKED).sum(axis=1).max(initial=0)), 1)
    who = np.argsort(ranks == UNRANKED, axis=1, kind="stable")[:, :places]
    human = np.take_along_axis(ranks, who, axis=1)
    values = scores.take(systems).oriented
    metric = values[who, rankings.segment[:, np.newaxis]]
    ranked = human != UNRANKED
    given = ranked & ~np.isnan(metric)
    paired = PairedRankings(
        metric=scores.name,
        human=rankings.name,
        level="segment",
        systems=systems,
        cells=Batch(np.where(given, metric, 0.0), -human.astype(np.float64), given),
        covered=given,
        source="rankings",
        left_out={},
        told=told_if_turned(scores),
        who=np.where(ranked, who, -1),
        segment=rankings.segment,
    )
    paired = paired.without(scores.references, "the reference it would be scored against")
    judged, scored = (set(np.unique(paired.who[which])) for which in (paired.who >= 0, paired.cells.given))
    absent = {
        name: "no metric score" if i in judged else "never ranked"
        for i, name in enumerate(paired.systems)
        if i not in scored
    }
    for reason in dict.fromkeys(absent.values()):
        paired = paired.without([name for name, why in absent.items() if why == reason], reason)
    return paired
