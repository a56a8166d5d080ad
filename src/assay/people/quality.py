"""Annotators tested on quality-control items: outputs that were damaged on purpose have to score lower."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.significance.rank_sum import RankSum
from assay.significance.signed_rank import SignedRank
from assay.types import FloatArray, Ratings

__all__ = ["RaterQuality", "rater_quality"]

Rows: TypeAlias = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """The p-value of "ordinary outputs score higher than damaged ones" for one rater; NaN with a reason."""

    rater: str
    p: float
    damaged: int
    ratings: int
    reason: str | None = None


def rater_quality(ratings: Ratings) -> tuple[RaterQuality, ...]:
    """Each rater's damaged items (kind BAD…) against the same items undamaged, by signed ranks.

    Where a rater never saw an item both ways, against all of the rater's ordinary items, by rank sums (as in Appraise).
    """
    kinds = np.array(ratings.kind or ("TGT",) * len(ratings), dtype=np.str_)
    is_bad = np.char.startswith(kinds, "BAD")
    found = []
    for number, rater in enumerate(ratings.raters):
        own = (ratings.rater == number) & ~np.isnan(ratings.score)
        bad, ordinary = np.flatnonzero(own & is_bad), np.flatnonzero(own & (kinds == "TGT"))
        if not len(bad) or not len(ordinary):
            reason = f"saw no {'ordinary' if len(bad) else 'damaged'} item"
            found.append(RaterQuality(rater, float("nan"), len(bad), int(own.sum()), reason))
            continue
        undamaged, damaged = _paired(ratings, ordinary, bad)
        if len(damaged):
            outcome = SignedRank().compare(undamaged, damaged)
        else:
            outcome = RankSum().compare(ratings.score[ordinary], ratings.score[bad])
        found.append(RaterQuality(rater, outcome.p, len(bad), int(own.sum()), outcome.reason))
    return tuple(found)


def _paired(ratings: Ratings, ordinary: Rows, bad: Rows) -> tuple[FloatArray, FloatArray]:
    """Scores of the same system's segment, undamaged and damaged."""
    undamaged = {(int(ratings.system[i]), int(ratings.segment[i])): float(ratings.score[i]) for i in ordinary}
    pairs = [
        (undamaged[key], float(ratings.score[i]))
        for i in bad
        if (key := (int(ratings.system[i]), int(ratings.segment[i]))) in undamaged
    ]
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    return np.array(first), np.array(second)
