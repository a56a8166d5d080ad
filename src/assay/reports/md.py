"""Markdown tables, for an issue or a README."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.document import Document, Grid

__all__ = ["Markdown"]


@renderer("md")
@dataclass(frozen=True)
class Markdown(Renderer):
    """A pipe table for each grid, remarks and the signature below."""

    suffixes = (".md",)

    def render(self, document: Document) -> str:
        blocks = []
        for section in document.sections():
            blocks += ["\n".join(_lines(grid.with_charts())) + "\n" for grid in section.grids]
            blocks += [f"`{line}`\n" for line in section.signatures]
        return "\n".join(blocks)


def _lines(grid: Grid) -> Iterator[str]:
    ruler = ["---" if k < grid.labels else "--:" for k in range(len(grid.header))]
    for line in (grid.header, ruler, *grid.rows):
        yield "| " + " | ".join(_escape(cell) for cell in line) + " |"
    for remark in grid.remarks:
        yield f"\n{_escape(remark)}"


def _escape(text: str) -> str:
    """Text as text: what Markdown or HTML would read as markup is escaped."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~" else c for c in text.replace("\n", " "))
