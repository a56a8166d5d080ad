"""Plain tables to read on a screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import printable
from assay.reports import Renderer, renderer
from assay.reports.document import Document, Grid

__all__ = ["Table"]


@renderer("table")
@dataclass(frozen=True)
class Table(Renderer):
    """Text aligned by display width."""

    suffixes = (".txt",)

    def render(self, document: Document) -> str:
        blocks = []
        for section in document.sections():
            drawn = ["\n".join(_lines(grid.with_charts())) for grid in section.grids]
            blocks.append("\n\n".join(drawn) + "".join(f"\n{line}" for line in section.signatures) + "\n")
        return "\n".join(blocks)


def _lines(grid: Grid) -> Iterator[str]:
    """Labels start together, numbers end together."""
    lines = [tuple(map(printable, line)) for line in (grid.header, *grid.rows)]
    widths = [max(_width(line[k]) for line in lines) for k in range(len(grid.header))]
    for line in lines:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        pairs = enumerate(zip(line, gaps, strict=True))
        yield "  ".join(cell + gap if k < grid.labels else gap + cell for k, (cell, gap) in pairs).rstrip()
    yield from map(printable, grid.remarks)


def _width(text: str) -> int:
    """Terminal columns: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
