"""Quality control of raters: outputs that were damaged on purpose should score lower."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.significance.rank_sum import RankSum
from assay.significance.signed_rank import SignedRank
from assay.types import FloatArray, Ratings, Scorable

__all__ = ["RaterQuality", "rater_quality"]

Rows: TypeAlias = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """The p-value of "this rater scores ordinary outputs higher than damaged ones"; NaN with a reason."""

    rater: str
    p: float
    damaged: int
    ratings: int
    reason: str | None = None


def rater_quality(ratings: Ratings) -> tuple[RaterQuality, ...]:
    """Test each rater's damaged items (kind BAD…) against the same items undamaged, with the signed-rank test.

    A rater who never rated the same item damaged and undamaged is tested on all of their ordinary items, with the
    rank-sum test (as in Appraise).
    """
    kinds = np.array(ratings.kind or ("TGT",) * len(ratings), dtype=np.str_)
    is_bad = np.char.startswith(kinds, "BAD")
    qualities = []
    for number, rater in enumerate(ratings.raters):
        is_own = (ratings.rater == number) & ~np.isnan(ratings.score)
        bad, ordinary = np.flatnonzero(is_own & is_bad), np.flatnonzero(is_own & (kinds == "TGT"))
        if not len(bad) or not len(ordinary):
            reason = f"saw no {'ordinary' if len(bad) else 'damaged'} item"
            qualities.append(RaterQuality(rater, float("nan"), len(bad), int(is_own.sum()), reason))
            continue
        undamaged, damaged = _paired(ratings, ordinary, bad)
        if len(damaged):
            comparison = SignedRank().compare(_sample("undamaged", undamaged), _sample("damaged", damaged))
        else:
            scores = _sample("ordinary", ratings.score[ordinary]), _sample("damaged", ratings.score[bad])
            comparison = RankSum().compare(*scores)
        qualities.append(RaterQuality(rater, comparison.p, len(bad), int(is_own.sum()), comparison.reason))
    return tuple(qualities)


def _sample(name: str, scores: FloatArray) -> Scorable:
    return Scorable.of_segments(scores, (name,))


def _paired(ratings: Ratings, ordinary: Rows, bad: Rows) -> tuple[FloatArray, FloatArray]:
    """The scores of the same outputs, undamaged and damaged."""
    undamaged = {(int(ratings.system[i]), int(ratings.segment[i])): float(ratings.score[i]) for i in ordinary}
    pairs = [
        (undamaged[key], float(ratings.score[i]))
        for i in bad
        if (key := (int(ratings.system[i]), int(ratings.segment[i]))) in undamaged
    ]
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    return np.array(first), np.array(second)
