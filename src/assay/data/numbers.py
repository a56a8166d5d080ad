"""Numbers in files: a score, a known gap, or an error with its place."""

from __future__ import annotations

import math
import re

from assay.errors import InputError, printable
from assay.types.scoretable import LARGEST

__all__ = ["LARGEST", "check_size_of_score", "parse_index", "parse_score", "score_of"]

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA_NUMBER = re.compile(r"[+-]?[0-9]+,[0-9]+")
_INDEX = re.compile(r"[0-9]{1,9}")
_GAPS = ("none", "nan", "na", "n/a", "null", "")


def parse_score(text: str, *, path: str, line: int, what: str = "score") -> float:
    """A finite number, or NaN for a gap: an empty field, None, NaN, NA or null in any case."""
    stripped = text.strip()
    if stripped.lower() in _GAPS:
        return math.nan
    if _NUMBER.fullmatch(stripped) is None:
        hint = "write a decimal point, not a comma" if _COMMA_NUMBER.fullmatch(stripped) else None
        raise InputError(f"the {what} '{_shown(stripped)}' is not a number", path=path, line=line, hint=hint)
    value = float(stripped)
    check_size_of_score(value, f"the {what} {_shown(stripped)}", path=path, line=line)
    return value


def score_of(value: object, *, path: str, line: int, what: str = "score") -> float:
    """As `parse_score`, where a file has numbers of its own: null and NaN are gaps too."""
    if value is None:
        return math.nan
    if isinstance(value, str):
        return parse_score(value, path=path, line=line, what=what)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"the {what} is not a number but a {type(value).__name__}", path=path, line=line)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    check_size_of_score(number, f"the {what}", path=path, line=line)
    return number


def check_size_of_score(value: float, what: str, *, path: str, line: int | None = None) -> None:
    """Refuse what nobody can compute with."""
    if math.isinf(value):
        raise InputError(f"{what} is too large for a number", path=path, line=line)
    if abs(value) > LARGEST:
        raise InputError(f"{what} is too large: it is beyond {LARGEST:g}", path=path, line=line)


def parse_index(text: str, *, path: str, line: int, what: str = "segment") -> int:
    """A whole number from 1, as files count segments, counted from 0."""
    stripped = text.strip()
    if _INDEX.fullmatch(stripped) is None or int(stripped) == 0:
        raise InputError(f"the {what} '{_shown(stripped)}' is not a whole number from 1", path=path, line=line)
    return int(stripped) - 1


def _shown(text: str) -> str:
    return printable(text[:40])
