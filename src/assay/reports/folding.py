"""Long names in tables on several lines, so that a table fits the width of a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

import click

__all__ = ["folded", "folded_widths", "text_width"]

_NARROWEST = 16  # what a name keeps; one that is not longer stays on a line
_PIECES = re.compile(r"[^\s_/:-]*[\s_/:-]+|[^\s_/:-]+")
"""A name may be broken after these characters."""


def folded_widths(
    header: Sequence[str], rows: Sequence[Sequence[str]], labels: int, names: Collection[int], gap: int, limit: int
) -> list[int]:
    """The widths of columns. Where a table is wider than the limit, the titles of values and whole columns of names are
    folded; other labels, such as charts, are not.

    The widest are folded first, and no further than is needed. If no folding is enough, only names are folded that
    take up half of the limit. 0: no limit.
    """
    cells = [max((text_width(row[k]) for row in rows), default=0) for k in range(len(header))]
    whole = [max(text_width(title), width) for title, width in zip(header, cells, strict=True)]
    titles = [max(width, min(_longest_word(title), _NARROWEST)) for title, width in zip(header, cells, strict=True)]
    least = [
        min(width, _NARROWEST) if k in names else width if k < labels else titles[k] for k, width in enumerate(whole)
    ]

    def up_to(most: int) -> list[int]:
        return [max(low, min(high, most)) for low, high in zip(least, whole, strict=True)]

    def fits(widths: Sequence[int]) -> bool:
        return not limit or sum(widths) + gap * (len(widths) - 1) <= limit

    found = next((widths for most in range(max(whole, default=0), 0, -1) if fits(widths := up_to(most))), None)
    if found is not None:
        return found
    is_crowded = sum(whole[k] for k in names) > limit / 2
    return [least[k] if is_crowded and k in names else width for k, width in enumerate(whole)]


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
