"""Places of errors that were marked in a browser, as characters.

JavaScript counts UTF-16 units, of which a character beyond U+FFFF, such as an emoji, has two. Appraise and Pearmut
store such offsets, and so do the releases of WMT24 and WMT25 made with them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from assay.types import ErrorSpan, Ratings, TestSet
from assay.types.judgements import CHARACTERS, UTF16

__all__ = ["in_characters", "ratings_in_characters", "unit_starts"]

_BEYOND = "\uffff"


def unit_starts(text: str) -> Sequence[int]:
    """The offset of each character in UTF-16 units, and that of the end of the text."""
    if not text or max(text) <= _BEYOND:
        return range(len(text) + 1)
    return [0, *accumulate(1 + (character > _BEYOND) for character in text)]


def in_characters(errors: tuple[ErrorSpan, ...], text: str) -> tuple[ErrorSpan, ...]:
    """The errors in an output with the numbers of characters as places; one outside the text stays outside."""
    starts = unit_starts(text)
    if isinstance(starts, range):
        return errors
    return tuple(_moved(error, starts) for error in errors)


def _moved(error: ErrorSpan, starts: Sequence[int]) -> ErrorSpan:
    if error.start is None or error.end is None or error.in_source or error.end > starts[-1]:
        return error
    start = bisect_right(starts, error.start) - 1
    end = start if error.end == error.start else bisect_right(starts, error.end - 1)
    return replace(error, start=start, end=end)


def ratings_in_characters(ratings: Ratings, testset: TestSet | None) -> Ratings:
    """The ratings with places in characters, if the texts are known; they stay where an output has none."""
    if ratings.offsets != UTF16 or testset is None or ratings.items:
        return ratings
    columns = [testset.outputs.get(name) for name in ratings.systems]
    moved = []
    for errors, system, segment in zip(ratings.errors, ratings.system.tolist(), ratings.segment.tolist(), strict=True):
        column = columns[system]
        text = column[segment] if errors and column is not None and 0 <= segment < len(column) else None
        moved.append(errors if text is None or errors is None else in_characters(errors, text))
    return replace(ratings, errors=tuple(moved), offsets=CHARACTERS)
