"""Numbers in files: a score, a missing score, or an error with file and line."""

from __future__ import annotations

import math
import re

from assay.errors import AlignmentError, InputError, printable
from assay.types.scoretable import LARGEST, SCALES

__all__ = [
    "LARGEST",
    "ZeroSegmentError",
    "check_scale",
    "check_size_of_score",
    "parse_index",
    "parse_score",
    "score_of",
]

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA_NUMBER = re.compile(r"[+-]?[0-9]+,[0-9]+")
_INDEX = re.compile(r"[0-9]{1,9}")
_MISSING = ("none", "nan", "na", "n/a", "null", "")


def parse_score(text: str, *, path: str, line: int | None, name: str = "score") -> float:
    """A finite number; NaN for a missing score: an empty field, None, NaN, NA or null in any case."""
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped) is None:
        if stripped.lower() in _MISSING:
            return math.nan
        hint = "use a decimal point, not a comma" if _COMMA_NUMBER.fullmatch(stripped) else None
        raise InputError(f"the {name} is not a number: '{_shown(stripped)}'", path=path, line=line, hint=hint)
    value = float(stripped)
    if not abs(value) <= LARGEST:  # files have millions of scores: describe only those that are refused
        check_size_of_score(value, f"the {name} {_shown(stripped)}", path=path, line=line)
    return value


def score_of(value: object, *, path: str, line: int | None = None, name: str = "score") -> float:
    """As `parse_score`, for a value of JSON or Parquet: a number, a text, or null for a missing score."""
    if value is None:
        return math.nan
    if isinstance(value, str):
        return parse_score(value, path=path, line=line, name=name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"the {name} must be a number, not {type(value).__name__}", path=path, line=line)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    check_size_of_score(number, f"the {name}", path=path, line=line)
    return number


def check_size_of_score(value: float, description: str, *, path: str, line: int | None = None) -> None:
    """Refuse numbers that are too large to compute with."""
    if math.isinf(value):
        raise InputError(f"{description} is too large for a number", path=path, line=line)
    if abs(value) > LARGEST:
        raise InputError(f"{description} is too large: the limit is ±{LARGEST:g}", path=path, line=line)


def check_scale(score: float, protocol: str | None, *, path: str, line: int | None) -> float:
    """The score, if raters can give it in this protocol: 0 to 100 in DA and ESA."""
    low, high = SCALES.get(protocol or "", (-math.inf, math.inf))
    if score < low or score > high:
        message = f"the score {score:g} must be between {low:g} and {high:g} ({protocol})"
        raise InputError(message, path=path, line=line)
    return score


class ZeroSegmentError(AlignmentError):
    """A segment 0 where segments count from 1. It cannot be skipped: all other segments are shifted by one."""

    def __init__(self, name: str = "segment", *, path: str | None, line: int | None) -> None:
        super().__init__(
            f"the {name} '0' must be a positive integer: segments count from 1",
            path=path,
            line=line,
            hint="if the file counts from 0, add 1 to all segment numbers",
        )
        self.name = name


def parse_index(text: str, *, path: str, line: int | None, name: str = "segment") -> int:
    """An index from 0, from the number (from 1) in a file."""
    stripped = text.strip()
    if _INDEX.fullmatch(stripped) is None:
        raise InputError(f"the {name} '{_shown(stripped)}' must be a positive integer", path=path, line=line)
    if (number := int(stripped)) == 0:
        raise ZeroSegmentError(name, path=path, line=line)
    return number - 1


def _shown(text: str) -> str:
    return printable(text[:40])
