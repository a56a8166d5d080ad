"""Markdown tables, for an issue or a README."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import Section
from assay.reports.layout import TextGrid, text_grid

__all__ = ["Markdown"]


@renderer("md")
@dataclass(frozen=True)
class Markdown(Renderer):
    """A pipe table for each grid, with captions and signatures below; the notes at the end."""

    suffixes = (".md",)

    def render(self, document: Document) -> str:
        blocks = [f"{_escape(sentence)}\n" for sentence in document.opening]
        blocks += [block for section in document.sections for block in _blocks(section)]
        if document.notes:
            blocks.append("".join(f"- {_escape(str(note))}\n" for note in document.notes))
        return "\n".join(blocks)


def _blocks(section: Section) -> Iterator[str]:
    if section.title:
        yield f"{_escape(section.title)}\n"
    for grid in section.grids:
        yield "\n".join(_lines(text_grid(grid, charts=True))) + "\n"
    for signature in section.signatures:
        yield f"{_code(signature)}\n"


def _lines(grid: TextGrid) -> Iterator[str]:
    ruler = ["---" if k < grid.labels else "--:" for k in range(len(grid.header))]
    for line in (grid.header, ruler, *grid.rows):
        yield "| " + " | ".join(_escape(cell) for cell in line) + " |"
    for caption in grid.captions:
        yield f"\n{_escape(caption)}"


def _escape(text: str) -> str:
    """Text on one line, with everything escaped that Markdown or HTML would read as markup."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~&" else c for c in _one_line(text))


def _code(text: str) -> str:
    """Text as it is, between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{_one_line(text)}{space}{fence}"


def _one_line(text: str) -> str:
    return re.sub("[\r\n]+", " ", text)
