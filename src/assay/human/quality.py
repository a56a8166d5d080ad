"""Quality control of raters: outputs that were damaged on purpose should score lower (Mathur et al. 2020, §3.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from assay.errors import InputError
from assay.human.scoring import rows_by_rater
from assay.lazily import numpy as np
from assay.significance.rank_sum import RankSum
from assay.significance.signed_rank import SignedRank
from assay.types import FloatArray, Note, NoteKind, Ratings, Scorable
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["DAMAGED", "RaterQuality", "rater_quality", "reliable_raters"]

Rows: TypeAlias = "npt.NDArray[np.intp]"

DAMAGED = "BAD"
"""How the kinds of damaged items start."""
_ORDINARY = "TGT"
_UNTESTED = "could not be tested for quality"
_TOO_FEW = "could not be tested for quality: too few damaged items"


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """The p-value of "this rater scores ordinary outputs higher than damaged ones"; NaN with a reason."""

    rater: str
    p: float
    damaged: int
    ratings: int
    reason: str | None = None
    smallest_p: float = 0.0
    """The smallest p-value of an exact test of as many items, however the rater scores them."""


def rater_quality(ratings: Ratings) -> tuple[RaterQuality, ...]:
    """Test each rater's damaged items (kind BAD…) against the same items undamaged, with the signed-rank test.

    A rater who never rated the same item damaged and undamaged is tested on all of their ordinary items, with the
    rank-sum test (as in Appraise).
    """
    if not ratings.higher_is_better:
        ratings = replace(ratings, score=-ratings.score, higher_is_better=True, protocol="other")
    kinds = np.array(ratings.kind or (_ORDINARY,) * len(ratings), dtype=np.str_)
    is_bad, is_ordinary = np.char.startswith(kinds, DAMAGED), kinds == _ORDINARY
    found = {
        rater: _quality(ratings, rater, rows[is_ordinary[rows]], rows[is_bad[rows]], len(rows))
        for rater, rows in rows_by_rater(ratings)
    }
    unseen = np.empty(0, dtype=np.intp)
    return tuple(found.get(rater) or _quality(ratings, rater, unseen, unseen, 0) for rater in ratings.raters)


def reliable_raters(ratings: Ratings, p: float) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings of raters whose p-value is below `p`, and notes on the raters left out: by their p or untested."""
    if not any(kind.startswith(DAMAGED) for kind in set(ratings.kind)):
        hint = f"quality needs items of a kind that starts with {DAMAGED}"
        raise InputError(f"the ratings '{ratings.name}' have no damaged items", path=ratings.origin or None, hint=hint)
    qualities = rater_quality(ratings)
    rated = np.bincount(ratings.rater, minlength=len(ratings.raters)) > 0
    is_kept = np.array([quality.p < p for quality in qualities], dtype=np.bool_)
    left_out = [quality for quality, kept, active in zip(qualities, is_kept, rated, strict=True) if active and not kept]
    if not is_kept.any():
        raise InputError(f"no rater of '{ratings.name}' tells damaged from ordinary items", path=ratings.origin or None)
    unable = f"do not tell damaged from ordinary items (p >= {p:g})"
    reasons = [_why_untested(quality, p) or unable for quality in left_out]
    notes = [
        _left_out_note([quality for quality, why in zip(left_out, reasons, strict=True) if why == reason], reason)
        for reason in (unable, _TOO_FEW, _UNTESTED)
    ]
    if not left_out:
        text = f"{plural(int(rated.sum()), 'rater')} tested for quality, none left out: "
        text += f"everyone tells damaged from ordinary items (p < {p:g})"
        return ratings, (Note(NoteKind.PROVENANCE, text, count=int(rated.sum())),)
    return ratings.where(is_kept[ratings.rater]), tuple(note for note in notes if note is not None)


def _why_untested(quality: RaterQuality, p: float) -> str | None:
    """Why the p-value of a rater says nothing: undefined, or above `p` whatever the scores."""
    if quality.reason is not None:
        return _UNTESTED
    return _TOO_FEW if quality.smallest_p >= p else None


def _left_out_note(qualities: list[RaterQuality], reason: str) -> Note | None:
    if not qualities:
        return None
    count = sum(quality.ratings for quality in qualities)
    names = ", ".join(quality.rater for quality in qualities)
    text = f"left out: {plural(len(qualities), 'rater')} with {plural(count, 'rating')} who {reason}: {names}"
    return Note(NoteKind.EXCLUDED, text, count=len(qualities))


def _quality(ratings: Ratings, rater: str, ordinary: Rows, bad: Rows, count: int) -> RaterQuality:
    if not len(bad) or not len(ordinary):
        return RaterQuality(
            rater, float("nan"), len(bad), count, f"saw no {'ordinary' if len(bad) else 'damaged'} item"
        )
    undamaged, damaged = _paired(ratings, ordinary, bad)
    if len(damaged):
        comparison = SignedRank().compare(_sample("undamaged", undamaged), _sample("damaged", damaged))
        smallest = 0.5 ** len(damaged)  # one of all ways to swap the two scores of a pair
    else:
        scores = _sample("ordinary", ratings.score[ordinary]), _sample("damaged", ratings.score[bad])
        comparison = RankSum().compare(*scores)
        smallest = 1 / math.comb(len(ordinary) + len(bad), len(bad))  # one of all ways to choose the damaged items
    return RaterQuality(rater, comparison.p, len(bad), count, comparison.reason, smallest)


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
