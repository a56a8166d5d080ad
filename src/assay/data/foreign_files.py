"""Files that are something else than texts, one a line: logs, lists of several translations, and what a download left.

They have too many or too few lines, so the message about the number of lines says what they are.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from assay.types import Column

__all__ = ["ForeignFile", "foreign_file"]

_FIRST_LINES = 100
_MOST = 0.5  # of the first lines


class ForeignFile(NamedTuple):
    """What a file is, and what to do about it."""

    text: str
    hint: str


_STARTS = (
    (
        re.compile(r"version https://git-lfs\.github\.com/spec/"),
        ForeignFile("is a pointer of Git LFS, not the file itself", "fetch the file: git lfs pull"),
    ),
    (
        re.compile(r"\ufeff?\s*<(?:!doctype html|html)\b", re.IGNORECASE),
        ForeignFile("is an HTML page", "download the file again: is this a page with an error?"),
    ),
)
_LINES = (
    (
        re.compile(r"[STHDP]-\d+\t"),
        ForeignFile(
            "is the log of fairseq",
            "keep the translations, in order: sed -n 's/^[HD]-//p' FILE | sort -nuk1,1 | cut -f3",
        ),
    ),
    (
        re.compile(r"\d+ \|\|\| .* \|\|\| "),
        ForeignFile(
            "is an n-best list of Moses",
            "keep the best translations: awk -F ' [|][|][|] ' '!seen[$1]++ {print $2}' FILE",
        ),
    ),
)


_DOUBLE_SPACED = ForeignFile("has an empty line between all lines", "remove the empty lines: grep . FILE")


def foreign_file(column: Column) -> ForeignFile | None:
    """What a file is, if its first line or most of its first lines show that it does not have one text a line."""
    first = column[:_FIRST_LINES]
    lines = [text for text in first if text]
    if _is_double_spaced(first):
        return _DOUBLE_SPACED
    for pattern, found in _STARTS:
        if lines and pattern.match(lines[0]):
            return found
    for pattern, found in _LINES:
        if sum(pattern.match(line) is not None for line in lines) > _MOST * max(len(lines), 1):
            return found
    return None


def _is_double_spaced(column: Column) -> bool:
    """Whether every second line is empty, and no other."""
    is_empty = [not (text or "").strip() for text in column]
    return len(is_empty) > 2 and any(all(e == (i % 2 == k) for i, e in enumerate(is_empty)) for k in (0, 1))
