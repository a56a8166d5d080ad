"""Plain tables to read on a screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import printable
from assay.reports import Renderer, renderer
from assay.reports.document import Document, Grid

__all__ = ["Table"]

_GAP = "  "


@renderer("table")
@dataclass(frozen=True)
class Table(Renderer):
    """Text aligned by display width. A grid that is wider than `width` comes in blocks of columns; 0: in one."""

    width: int = 0

    suffixes = (".txt",)

    def render(self, document: Document) -> str:
        blocks = []
        for section in document.sections():
            drawn = ["\n".join(_lines(grid, self.width)) for grid in section.grids]
            blocks.append("\n\n".join(drawn) + "".join(f"\n{line}" for line in section.signatures) + "\n")
        return "\n".join(blocks)


def _lines(grid: Grid, limit: int) -> Iterator[str]:
    """Labels start together, numbers end together. Every block has the labels; a chart is drawn once."""
    full = grid.with_charts()
    lines = [tuple(map(printable, line)) for line in (full.header, *full.rows)]
    widths = [max(_width(line[k]) for line in lines) for k in range(len(full.header))]
    for number, block in enumerate(_blocks(widths, grid.labels, limit)):
        if number:
            yield ""
        for line in lines:
            gaps = {k: " " * (widths[k] - _width(line[k])) for k in block}
            yield _GAP.join(line[k] + gaps[k] if k < full.labels else gaps[k] + line[k] for k in block).rstrip()
    yield from map(printable, grid.remarks)


def _blocks(widths: list[int], labels: int, limit: int) -> list[list[int]]:
    """Which columns stand side by side: the labels and as many others as fit, at least one."""
    start = list(range(labels))
    blocks = [start]
    for k in range(labels, len(widths)):
        block = [*blocks[-1], k]
        is_full = limit and len(blocks[-1]) > labels and sum(widths[j] + len(_GAP) for j in block) - len(_GAP) > limit
        blocks[-1:] = [blocks[-1], [*start, k]] if is_full else [block]
    return blocks


def _width(text: str) -> int:
    """Terminal columns: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
