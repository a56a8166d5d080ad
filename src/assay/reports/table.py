"""Plain tables to read on a screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import click

from assay.errors import printable
from assay.reports import Document, Renderer, renderer
from assay.reports.cells import Cell, Passage, cell_text
from assay.reports.documents import Grid, Section
from assay.reports.folding import GAP, Labels, blocks, folded, folded_widths, text_width
from assay.reports.layout import text_grid

__all__ = ["Table"]


@renderer("table")
@dataclass(frozen=True)
class Table(Renderer):
    """Text aligned by display width.

    A grid wider than `width` has long names on several lines, and is split into blocks of columns if that is not
    enough; 0: neither.

    `styled`: for a terminal, on which pieces of text that stand out are underlined and coloured.
    """

    width: int = 0
    styled: bool = False

    suffixes = (".txt",)

    def render(self, document: Document) -> str:
        said = (f"{_wrapped(sentence, self.width)}\n" for sentence in document.opening)
        shown = (_text(section, self.width, styled=self.styled) for section in document.sections)
        return "\n".join((*said, *shown))


def _text(section: Section, limit: int, *, styled: bool) -> str:
    blocks = [printable(section.title)] if section.title else []
    blocks += ["\n".join(_lines(grid, limit, styled=styled)) for grid in section.grids]
    signatures = section.short_signatures or section.signatures
    lines = ["\n\n".join(blocks)] if blocks else []
    return "\n".join([*lines, *signatures]) + "\n"


def _lines(grid: Grid, limit: int, *, styled: bool) -> Iterator[str]:
    """Labels are left-aligned, numbers right-aligned. Every block repeats the labels; the chart is drawn once."""
    full = text_grid(grid, charts=True, text=_styled_text if styled else _plain_text)
    header, *rows = [tuple(map(printable, full.header)), *full.rows]
    names = [k for k in range(grid.labels) if not any(isinstance(row[k], Passage) for row in grid.rows)]
    widths = folded_widths(header, rows, Labels(full.labels, grid.labels, names), limit)
    for number, block in enumerate(blocks(widths, grid.labels, limit)):
        if number:
            yield ""
        for line in (header, *rows):
            parts = {k: folded(line[k], widths[k]) if line is header or k in names else [line[k]] for k in block}
            height = max(map(len, parts.values()))
            for at in range(height):
                cells = {k: _at(part, at - (height - len(part) if line is header else 0)) for k, part in parts.items()}
                yield GAP.join(_aligned(text, widths[k], k < full.labels) for k, text in cells.items()).rstrip()
    for caption in full.captions:
        yield _wrapped(caption, limit)


def _at(part: list[str], place: int) -> str:
    """A line of a cell; titles of columns stand at the bottom, what is below them at the top."""
    return part[place] if 0 <= place < len(part) else ""


def _aligned(text: str, width: int, is_label: bool) -> str:
    gap = " " * (width - text_width(text))
    return text + gap if is_label else gap + text


def _wrapped(sentence: str, limit: int) -> str:
    """A sentence in lines that are no longer than the limit; 0: in one line."""
    text = printable(sentence)
    return textwrap.fill(text, limit, break_long_words=False, break_on_hyphens=False) if limit else text


def _plain_text(cell: Cell) -> str:
    return printable(cell_text(cell))


def _styled_text(cell: Cell) -> str:
    if not isinstance(cell, Passage):
        return _plain_text(cell)
    return "".join(
        click.style(printable(piece.text), fg="yellow", underline=True) if piece.flags else printable(piece.text)
        for piece in cell.pieces
    )
