"""Long names in tables on several lines, so that a table fits the width of a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

import click

__all__ = ["GAP", "Labels", "blocks", "folded", "folded_widths", "text_width"]

GAP = "  "
"""Between the columns of a table."""
_NARROWEST = 16  # what a name keeps; one that is not longer stays on a line
_PIECES = re.compile(r"[^\s_/:-]*[\s_/:-]+|[^\s_/:-]+")
"""A name may be broken after these characters."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The columns at the left of a table."""

    count: int
    repeated: int
    """How many of them stand in every block of columns."""
    names: Collection[int]
    """Those that can be folded; charts cannot."""


def folded_widths(header: Sequence[str], rows: Sequence[Sequence[str]], labels: Labels, limit: int) -> list[int]:
    """The widths of columns. Where a table is wider than the limit, names and the titles of values are folded.

    The widest are folded first, and no further than is needed for as few blocks of columns as possible. 0: no limit.
    """
    cells = [max((text_width(row[k]) for row in rows), default=0) for k in range(len(header))]
    whole = [max(text_width(title), width) for title, width in zip(header, cells, strict=True)]
    titles = [max(width, min(_longest_word(title), _NARROWEST)) for title, width in zip(header, cells, strict=True)]
    least = [
        min(width, _NARROWEST) if k in labels.names else width if k < labels.count else titles[k]
        for k, width in enumerate(whole)
    ]
    folds = (
        [max(low, min(high, most)) for low, high in zip(least, whole, strict=True)]
        for most in range(max(whole, default=0), 0, -1)
    )

    def cost(widths: Sequence[int]) -> tuple[bool, int]:
        found = blocks(widths, labels.repeated, limit)
        return any(limit and _total(widths, block) > limit for block in found), len(found)

    return min(chain([whole], folds), key=cost)


def blocks(widths: Sequence[int], labels: int, limit: int) -> list[list[int]]:
    """The columns of each block of a table: the labels and as many others as fit, at least one."""
    start = list(range(labels))
    found = [start]
    for k in range(labels, len(widths)):
        block = [*found[-1], k]
        is_full = limit and len(found[-1]) > labels and _total(widths, block) > limit
        found[-1:] = [found[-1], [*start, k]] if is_full else [block]
    return found


def _total(widths: Sequence[int], block: Sequence[int]) -> int:
    return sum(widths[k] + len(GAP) for k in block) - len(GAP)


def _longest_word(title: str) -> int:
    return max(map(text_width, title.split()), default=0)


def folded(text: str, width: int) -> list[str]:
    """A text in lines of at most this width, broken at spaces and after hyphens and the like where it can be."""
    if text_width(text) <= width:
        return [text]
    lines = [""]
    for piece in (part for each in _PIECES.findall(text) for part in _cut(each, width)):
        if text_width(f"{lines[-1]}{piece}".rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _cut(piece: str, width: int) -> list[str]:
    """A piece that is wider than a line in parts that are not."""
    parts = [""]
    for character in piece if text_width(piece.rstrip()) > width else ():
        if text_width(parts[-1] + character) > width:
            parts.append("")
        parts[-1] += character
    return parts if parts != [""] else [piece]


def text_width(text: str) -> int:
    """Terminal columns: wide East Asian characters take two, combining ones and styles none."""
    visible = click.unstyle(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in visible)
