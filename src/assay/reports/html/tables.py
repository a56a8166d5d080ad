"""Grids of a document as HTML tables: the values of the other forms, with intervals drawn in the rows.

Numbers are shown with one decimal less than in a file, and in full in the tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.labels.numbers import interval_text, p_text, true_minus
from assay.reports.cells import Cell, Count, Flag, Interval, Number, Passage, PValue, Text, cell_text
from assay.reports.documents import Grid, Section
from assay.reports.html.lanes import Lane, Scale, curve, interval_scale, marks
from assay.reports.html.page import render
from assay.reports.labelled import readable
from assay.reports.layout import caption_text

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = [
    "AMONG_BEST",
    "AMONG_BEST_NOTE",
    "Header",
    "Table",
    "TableCell",
    "cell",
    "grid_html",
    "number_text",
    "p_text",
    "sections_html",
    "table_html",
]

AMONG_BEST = "†"
"""Beside a score that is not shown to differ from the best one."""
AMONG_BEST_NOTE = f"{AMONG_BEST}: no difference from the best shown."
_LANE = 120
_MAX_LANES = 2
_SHORT = 40  # texts up to this length stay on one line
_CLASSES = {
    Flag.BEST: "best",
    Flag.AMONG_BEST: "",  # has a mark
    Flag.NOT_SIGNIFICANT: "unshown",
    Flag.OUTLIER: "outlier",
    Flag.DIFFERENT: "different",
    Flag.OUT_OF_SEQUENCE: "",
}


@dataclass(frozen=True, slots=True)
class Header:
    """A column. With `scale`, the column holds drawings on it."""

    title: str
    is_label: bool = False
    scale: Scale | None = None
    is_drawn: bool = False
    """Whether the column holds drawings, also without a scale."""
    is_lowest_best: bool = False
    """Where the column is sorted, the lowest value comes first."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell as it is shown: `text`, what follows it in small letters (`aside`), tooltip, classes, or a drawing."""

    text: str = ""
    aside: str = ""
    tooltip: str = ""
    classes: str = ""
    order: float | None = None
    """What the column is sorted by."""
    lane: Lane | None = None
    pieces: tuple[tuple[str, bool], ...] = ()
    """A text in pieces, and whether each stands out."""
    link: str = ""
    pair: int | None = None
    """The number of the pair of systems that choosing the cell describes."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, ready for its template."""

    caption: str
    headers: tuple[Header, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    groups: tuple[tuple[str, str, int], ...] = ()
    """Headings above the headers: text, small text, and how many columns each spans. Without text: a class."""
    notes: tuple[str, ...] = ()
    is_sortable: bool = False
    looks: tuple[str, ...] = field(default=())
    """Classes of the rows."""
    look: str = ""
    """The class of the table."""


def sections_html(sections: Iterable[Section], *, caption: str, draws: bool = True) -> Markup:
    """The sections of a document below each other: titles, grids and captions. `draws`: intervals, in their rows."""
    blocks = [
        (section.title, [grid_html(grid, caption=section.title or caption, draws=draws) for grid in section.grids])
        for section in map(readable, sections)
        if section.grids or section.title
    ]
    return render("templates/blocks.html", blocks=blocks)


def grid_html(grid: Grid, *, caption: str, is_sortable: bool = False, draws: bool = True) -> Markup:
    """A grid as a table. Columns of intervals are also drawn, unless there are many of them."""
    scales = _scales(grid) if draws else {}
    headers: list[Header] = []
    for place, column in enumerate(grid.columns):
        has_p_values = any(isinstance(row[place], PValue) for row in grid.rows)
        headers.append(Header(column.title, is_label=column.align == "left", is_lowest_best=has_p_values))
        if place in scales:
            headers.append(Header(f"{column.title}, drawn", scale=scales[place]))
    if grid.series:
        headers.insert(grid.labels, Header("curve", is_drawn=True))
    rows = tuple(tuple(_row_cells(grid, k, scales)) for k in range(len(grid.rows)))
    notes = (*map(caption_text, grid.captions), *_legend(grid))
    return table_html(Table(caption, tuple(headers), rows, notes=notes, is_sortable=is_sortable))


def _legend(grid: Grid) -> Iterator[str]:
    cells = [content for row in grid.rows for content in row if isinstance(content, Number)]
    if any(Flag.AMONG_BEST in content.flags for content in cells):
        yield AMONG_BEST_NOTE


def table_html(table: Table) -> Markup:
    """A table as HTML."""
    return render("templates/table.html", table=table)


def _scales(grid: Grid) -> dict[int, Scale]:
    found: dict[int, Scale] = {}
    for place in range(len(grid.columns)):
        numbers = [each for row in grid.rows if isinstance(each := row[place], Number)]
        scale = interval_scale(numbers, _LANE)
        if scale is not None:
            found[place] = scale
    return found if len(found) <= _MAX_LANES else {}


def _row_cells(grid: Grid, number: int, scales: dict[int, Scale]) -> Iterator[TableCell]:
    for place, content in enumerate(grid.rows[number]):
        if place == grid.labels and grid.series:
            yield TableCell(lane=curve(grid.series[number], grid.series, _LANE), classes="lane")
        yield cell(content)
        if place in scales:
            yield _drawn(content, scales[place])


def _drawn(content: Cell, scale: Scale) -> TableCell:
    if not isinstance(content, Number) or math.isnan(content.value):
        return TableCell(classes="lane")
    look = "unshown" if Flag.NOT_SIGNIFICANT in content.flags else ""
    lane = Lane(scale.width, marks((content,), (look,), scale), zero=scale.zero)
    return TableCell(lane=lane, classes="lane")


def cell(content: Cell) -> TableCell:
    """A cell of a grid."""
    classes = " ".join(filter(None, (_CLASSES[flag] for flag in sorted(content.flags))))
    match content:
        case Number():
            return TableCell(
                number_text(content) + (AMONG_BEST if Flag.AMONG_BEST in content.flags else ""),
                _aside(content),
                _tooltip(content),
                _joined("number", classes),
                _order(content.value),
            )
        case Passage():
            return TableCell(
                pieces=tuple((piece.text, bool(piece.flags)) for piece in content.pieces), classes="passage"
            )
        case Text():
            return TableCell(content.text, classes=_joined(classes, "short" if len(content.text) <= _SHORT else ""))
        case Interval():
            text = true_minus(cell_text(content))
            return TableCell(text, classes=_joined("number", classes))
        case Count():
            return TableCell(cell_text(content), classes=_joined("number", classes), order=float(content.value))
        case PValue():
            text = p_text(content.value, alpha=content.alpha, is_bound=content.is_bound)
            sign = "≤" if content.is_bound else "="
            return TableCell(
                text, "", f"p {sign} {content.value:.4g}", _joined("number", classes), _order(content.value)
            )
        case _:
            return TableCell(cell_text(content).replace("-", "–"), classes=_joined("number", classes))


def number_text(number: Number) -> str:
    """The value alone, with a true minus sign."""
    return true_minus(cell_text(replace(number, low=math.nan, high=math.nan, spread=math.nan, n=None, rank=None)))


def _aside(number: Number) -> str:
    """The interval or the spread, and n or the rank where that is worth showing."""
    if math.isfinite(number.low) or math.isfinite(number.high):
        text = true_minus(interval_text(number.low, number.high, number.decimals))
    else:
        text = "" if math.isnan(number.spread) else f"± {number.spread:.{number.decimals}f}"
    bracketed = number.n if number.n is not None else number.rank
    return text if bracketed is None else f"{text} ({bracketed:,})".strip()


def _tooltip(number: Number) -> str:
    if math.isnan(number.value):
        return number.reason or "undefined"
    text = f"{number.value:.6g}"
    if math.isfinite(number.low) and math.isfinite(number.high):
        text += f", from {number.low:.6g} to {number.high:.6g}"
    return text if number.reason is None else f"{text}; {number.reason}"


def _order(value: float) -> float | None:
    return None if math.isnan(value) else value


def _joined(*classes: str) -> str:
    return " ".join(filter(None, classes))
