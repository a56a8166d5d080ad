"""Raters who see several outputs side by side, and differ from the others about which systems are better (WMT26)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.human.scoring import rows_by_rater
from assay.lazily import numpy as np
from assay.types import FloatArray, Note, NoteKind, Ratings
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["consistent_raters", "rater_consistency"]

_MIN_SCREENS = 3
_MIN_RATINGS = 11  # of a system
_NO_VARIANCE = 1e-6


def rater_consistency(ratings: Ratings) -> dict[str, float]:
    """How well the differences that a rater gave side by side agree with those of the systems' means, from 0 to 1.

    The mean, over all pairs of outputs of a segment on one screen, of 2^(-(d - m)^2 / (2 v)): d is the difference of
    the two scores, m that of the means of the two systems over all raters, and v the sum of their variances. Systems
    with fewer than 11 ratings do not count. Raters with fewer than three screens, or without such a pair, are left out.
    """
    means, variances = _moments(ratings)
    found = {}
    for rater, rows in rows_by_rater(ratings):
        pairs = np.array(list(_pairs_of_screens(ratings, rows, means))).reshape(-1, 2)
        if _screens(ratings, rows) < _MIN_SCREENS or not len(pairs):
            continue
        first, second = pairs.T
        system = ratings.system
        expected = means[system[first]] - means[system[second]]
        spread = variances[system[first]] + variances[system[second]]
        off = ratings.score[first] - ratings.score[second] - expected
        found[rater] = float(np.mean(2.0 ** -(off**2 / (2 * spread + _NO_VARIANCE))))
    return found


def consistent_raters(ratings: Ratings, least: float) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings of raters whose consistency is at least this or unknown, and a note on the others."""
    inconsistent = {rater: value for rater, value in rater_consistency(ratings).items() if value < least}
    if not inconsistent:
        return ratings, ()
    is_left_out = np.array([rater in inconsistent for rater in ratings.raters], dtype=np.bool_)[ratings.rater]
    count = int(is_left_out.sum())
    named = ", ".join(f"{rater} ({value:.2f})" for rater, value in inconsistent.items())
    if count == len(ratings):
        raise InputError(
            f"no rater is left: the differences between systems of each agree with the means of all raters by less "
            f"than {least:g}: {named}",
            path=ratings.origin or None,
            hint="rank without the preset, or leave out the ratings of those who may be wrong",
        )
    text = (
        f"left out: {plural(count, 'rating')} of {plural(len(inconsistent), 'rater')} whose differences between "
        f"systems agree with the means of all raters by less than {least:g}: {named}"
    )
    return ratings.where(~is_left_out), (Note(NoteKind.EXCLUDED, text, count=len(inconsistent)),)


def _moments(ratings: Ratings) -> tuple[FloatArray, FloatArray]:
    """The mean and the variance of the ratings of each system; NaN of one with few."""
    means, variances = np.full((2, len(ratings.systems)), np.nan)
    for number in range(len(ratings.systems)):
        scores = ratings.score[(ratings.system == number) & ~np.isnan(ratings.score)]
        if len(scores) >= _MIN_RATINGS:
            means[number], variances[number] = scores.mean(), scores.var(ddof=1)
    return means, variances


def _pairs_of_screens(
    ratings: Ratings, rows: npt.NDArray[np.intp], means: FloatArray
) -> Iterator[tuple[np.intp, np.intp]]:
    """The rows of each two outputs of a segment that the rater saw side by side, of systems that have a mean."""
    seen: dict[tuple[int, float], list[np.intp]] = {}
    for row in rows[~np.isnan(means[ratings.system[rows]])]:
        seen.setdefault((int(ratings.segment[row]), _time(ratings, row)), []).append(row)
    for together in seen.values():
        for first, second in combinations(together, 2):
            if ratings.system[first] != ratings.system[second]:
                yield first, second


def _screens(ratings: Ratings, rows: npt.NDArray[np.intp]) -> int:
    """The number of screens: documents, or segments if those are not known. What was rated at one time was on one."""
    labels = ratings.document or tuple(map(str, ratings.segment.tolist()))
    return len({(labels[row], _time(ratings, row)) for row in rows})


def _time(ratings: Ratings, row: np.intp) -> float:
    """When a rater finished the screen of this row; -1 if nobody knows."""
    time = -1.0 if ratings.time is None else float(ratings.time[row])
    return -1.0 if np.isnan(time) else time
