"""Numbers in files: a score, a known gap, or an error with its place."""

from __future__ import annotations

import math
import re

from assay.errors import InputError

__all__ = ["parse_index", "parse_score"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_GAPS = ("none", "nan", "na", "n/a", "null", "")


def parse_score(text: str, *, path: str, line: int, what: str = "score") -> float:
    """A finite number, or NaN for a gap: an empty field, None, NaN, NA or null in any case."""
    stripped = text.strip()
    if stripped.lower() in _GAPS:
        return math.nan
    if _NUMBER.fullmatch(stripped) is None:
        hint = "write a decimal point, not a comma" if re.fullmatch(r"[+-]?\d+,\d+", stripped) else None
        raise InputError(f"the {what} '{stripped[:40]}' is not a number", path=path, line=line, hint=hint)
    value = float(stripped)
    if math.isinf(value):
        raise InputError(f"the {what} {stripped[:40]} is too large for a number", path=path, line=line)
    return value


def parse_index(text: str, *, path: str, line: int, what: str = "segment") -> int:
    """A whole number from 1, as files count segments, counted from 0."""
    stripped = text.strip()
    if re.fullmatch(r"\d{1,9}", stripped) is None or int(stripped) == 0:
        raise InputError(f"the {what} '{stripped[:40]}' is not a whole number from 1", path=path, line=line)
    return int(stripped) - 1
