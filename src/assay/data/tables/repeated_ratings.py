"""Ratings that occur twice: exact copies, which count once, and outputs that a rater scored again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray, Note, NoteKind, Ratings
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["UNKNOWN_RATER", "exact_copies", "rated_again", "without_copies"]

UNKNOWN_RATER = "unknown"  # raters without a name, whose equal ratings are different ratings


def without_copies(ratings: Ratings) -> tuple[Ratings, tuple[Note, ...]]:
    """The ratings of one file, each of them once; and notes on copies and on outputs that a rater scored again."""
    copies = exact_copies(ratings, np.arange(len(ratings)))
    kept = ratings.where(~copies) if copies.any() else ratings
    return kept, tuple(_notes(kept, int(copies.sum())))


def _notes(ratings: Ratings, copies: int) -> Iterator[Note]:
    if copies:
        text = f"{plural(copies, 'rating')} counted once: same rater, system, segment and score as an earlier row"
        yield Note(NoteKind.DUPLICATE, text, ratings.origin, copies)
    if again := rated_again(ratings):
        text = f"{plural(again, 'rating')} of an output that the same rater had already rated; all of them count"
        yield Note(NoteKind.SUSPECT, text, ratings.origin, again)


def exact_copies(ratings: Ratings, part: IntArray) -> npt.NDArray[np.bool_]:
    """Which ratings also occur in an earlier part; `part` numbers the part (row, file) of each rating.

    One without errors is also a copy of the same one with errors in any other part: it says nothing more.
    """
    columns = [*_output(ratings), _bits(ratings.score)]
    if ratings.time is not None:
        columns.append(_bits(ratings.time))
    columns += (_codes(texts) for texts in (ratings.document, ratings.domain) if texts)
    key = _key(columns, len(ratings))
    copies = _is_later(_key([key, _codes(ratings.errors)], len(ratings)) if ratings.errors else key, part)
    if ratings.errors and not ratings.is_marked.all():
        first = np.where(ratings.is_marked, -1, part)  # before all others, if it has errors
        copies |= _is_later(key, first) & ~ratings.is_marked
    is_copy: npt.NDArray[np.bool_] = copies & _is_named(ratings)
    return is_copy


def _is_later(key: IntArray, part: IntArray) -> npt.NDArray[np.bool_]:
    """Which rows have a key that also occurs in an earlier part."""
    first_part = np.full(int(key.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first_part, key, part)
    return np.asarray(part > first_part[key])


def rated_again(ratings: Ratings) -> int:
    """The number of ratings of an output that the same rater had already rated."""
    named = ratings.where(_is_named(ratings)) if UNKNOWN_RATER in ratings.raters else ratings
    named = named.where(named.segment >= 0)
    return len(named) - len(np.unique(_key(_output(named), len(named))))


def _output(ratings: Ratings) -> list[IntArray]:
    """The columns that say who rated what."""
    kinds = [_codes(ratings.kind)] if ratings.kind else []
    return [ratings.rater, ratings.system, ratings.segment, *kinds]


def _is_named(ratings: Ratings) -> npt.NDArray[np.bool_]:
    if UNKNOWN_RATER not in ratings.raters:
        return np.ones(len(ratings), dtype=np.bool_)
    named: npt.NDArray[np.bool_] = ratings.rater != ratings.raters.index(UNKNOWN_RATER)
    return named


def _key(columns: list[IntArray], rows: int) -> IntArray:
    """A number for each row, the same for rows that are equal in all columns."""
    key = np.zeros(rows, dtype=np.int64)
    for column in columns:
        codes = np.unique(column, return_inverse=True)[1]
        key = np.unique(key * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return key


def _codes(texts: tuple[object, ...]) -> IntArray:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)


def _bits(values: FloatArray) -> IntArray:
    return np.where(np.isnan(values), np.nan, values).view(np.int64)
