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
            "keep the translations, in order: grep ^H- FILE | sed 's/^H-//' | sort -n | cut -f3",
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


def foreign_file(column: Column) -> ForeignFile | None:
    """What a file is, if its first line or most of its first lines show that it does not have one text a line."""
    lines = [text for text in column[:_FIRST_LINES] if text]
    for pattern, found in _STARTS:
        if lines and pattern.match(lines[0]):
            return found
    for pattern, found in _LINES:
        if sum(pattern.match(line) is not None for line in lines) > _MOST * max(len(lines), 1):
            return found
    return None
