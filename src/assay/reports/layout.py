"""Grids as text, for the forms that people read: table, Markdown and LaTeX."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assay.labels.numbers import number
from assay.reports.cells import Cell, cell_text
from assay.reports.documents import Caption, Grid, Series

__all__ = ["BLOCKS", "TextGrid", "caption_text", "sparkline", "text_grid"]

BLOCKS = "▁▂▃▄▅▆▇█"
_NO_BLOCK = "·"


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A header, rows of text and captions; the first `labels` columns are left-aligned."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int
    captions: tuple[str, ...]


def text_grid(grid: Grid, *, charts: bool, text: Callable[[Cell], str] = cell_text) -> TextGrid:
    """The text of a grid. `charts`: draw the series in a column after the labels, in block characters.

    `text` writes a cell.
    """
    header = tuple(column.title for column in grid.columns)
    lines = [header, *(tuple(map(text, row)) for row in grid.rows)]
    labels = grid.labels
    if charts and grid.series:
        drawn = zip(lines, _charts(grid.series), strict=True)
        lines = [(*line[:labels], chart, *line[labels:]) for line, chart in drawn]
        labels += 1
    return TextGrid(lines[0], tuple(lines[1:]), labels, tuple(map(caption_text, grid.captions)))


def caption_text(caption: Caption) -> str:
    """The line with its values filled in."""
    return caption.template.format(*map(cell_text, caption.values)) if caption.values else caption.template


def _charts(series: tuple[Series, ...]) -> Iterator[str]:
    """The scale, then the curves on it, from the lowest value of all to the highest. Curves end at the right."""
    rounded = [[round(value, each.decimals) for value in each.y] for each in series]  # no differences too small to show
    defined = [value for values in rounded for value in values if not math.isnan(value)]
    low, high = min(defined, default=math.nan), max(defined, default=math.nan)
    width = max(map(len, rounded))
    yield f"{BLOCKS[0]} {number(low, 2)} {BLOCKS[-1]} {number(high, 2)}"
    for values in rounded:
        yield " " * (width - len(values)) + sparkline(values, low, high)


def sparkline(values: Sequence[float], low: float, high: float) -> str:
    """One block per value, in equal steps from `low` to `high`; a dot for an undefined value."""
    return "".join(_block(value, low, high) for value in values)


def _block(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return _NO_BLOCK
    share = (value - low) / (high - low) if high > low else 1.0
    return BLOCKS[min(max(int(share * len(BLOCKS)), 0), len(BLOCKS) - 1)]
