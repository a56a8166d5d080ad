"""Grids of a document as HTML tables: the values of the other forms, with intervals drawn in the rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from assay.labels.numbers import true_minus
from assay.reports.blocks import PageTable
from assay.reports.cells import (
    AMONG_BEST_MARK,
    AMONG_BEST_NOTE,
    MARKS,
    Cell,
    Count,
    Flag,
    Flags,
    Interval,
    Number,
    Passage,
    PValue,
    RankRange,
    Segments,
    Text,
    cell_text,
)
from assay.reports.documents import Grid
from assay.reports.html.lanes import Lane, Scale, aligned_scales, curve, interval_scale, marks
from assay.reports.labelled import caption_sentence, labelled_grid

__all__ = ["Header", "Table", "TableCell", "cell", "table"]

_BEYOND_NOTE = "Arrow: a value far from the others, off the scale; its number is beside it."
_UNDEFINED = "undefined"
_MARKS = {Flag.AMONG_BEST: AMONG_BEST_MARK, **MARKS}
_MAX_LANES = 2
_SHORT = 40  # texts up to this length stay on one line
_CLASSES = {
    Flag.BEST: "best",
    Flag.NOT_SIGNIFICANT: "unshown",
    Flag.OUTLIER: "outlier",
    Flag.DIFFERENT: "different",
    Flag.FIRST: "a",
    Flag.SECOND: "b",
    Flag.ALIGNED: "aligned",
}
_LOOKS = {Flag.NOT_SIGNIFICANT: "unshown", Flag.FIRST: "a", Flag.SECOND: "b", Flag.SEGMENT_MEAN: "hollow"}
_ROWS = {Flag.FIRST: "first", Flag.SECOND: "second"}


@dataclass(frozen=True, slots=True)
class Header:
    """A column. With `scale`, its axis stands in place of the title."""

    title: str
    tooltip: str = ""
    classes: str = ""
    role: str = ""
    scale: Scale | None = None
    is_label: bool = False
    is_lower_better: bool = False


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
    segments: Segments | None = None
    pair: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table, ready for its template."""

    caption: str
    classes: str
    groups: tuple[tuple[str, str, int], ...]
    """Headings above the headers: text, small text, and how many columns each spans. Without text: a class."""
    headers: tuple[Header, ...]
    rows: tuple[tuple[str, tuple[TableCell, ...]], ...]
    """The class of each row, and its cells."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Columns of a grid that are drawn together, on one scale, or each row on its own."""

    columns: tuple[int, ...]
    title: str
    scale: Scale | None = None
    row_scales: tuple[Scale, ...] = ()


@dataclass(frozen=True, slots=True)
class _Curves:
    """The series of a grid."""


_Slot: TypeAlias = int | _Drawing | _Curves
"""What stands in a column of the table: a column of the grid, or a drawing."""


def table(block: PageTable) -> Table:
    """A grid as a table. Its columns are drawn if they say so; else those with intervals, unless there are many."""
    grid = labelled_grid(block.grid)
    drawings = list(_drawings(grid, draws=block.draws))
    slots = list(_slots(grid, [_narrowed(each, len(drawings)) for each in drawings]))
    rows = tuple(
        (_classes(row[0].flags, _ROWS), tuple(_slot_cell(grid, k, slot) for slot in slots))
        for k, row in enumerate(grid.rows)
    )
    return Table(
        block.caption,
        " ".join(filter(None, (block.style, "sortable" if block.is_sortable else ""))),
        tuple(_groups(grid, slots)),
        tuple(_header(grid, slot) for slot in slots),
        rows,
        (*map(caption_sentence, grid.captions), *_legend(grid, rows)),
    )


def _drawings(grid: Grid, *, draws: bool) -> Iterator[_Drawing]:
    members = groupby(range(len(grid.columns)), key=lambda place: grid.columns[place].lane)
    lanes = [(lane, tuple(places)) for lane, places in members if lane]
    for title, places in lanes:
        if grid.scales:
            numbers = {key: _numbers(grid, places, key) for key in dict.fromkeys(grid.scales)}
            if scales := aligned_scales(numbers):
                yield _Drawing(places, title, row_scales=tuple(scales[key] for key in grid.scales))
        elif scale := interval_scale(_numbers(grid, places), needs_intervals=False):
            yield _Drawing(places, title, scale)
    if draws and not lanes:
        found = {place: interval_scale(_numbers(grid, (place,))) for place in range(len(grid.columns))}
        drawn = [
            _Drawing((place,), f"{grid.columns[place].title}, drawn", scale) for place, scale in found.items() if scale
        ]
        yield from drawn if len(drawn) <= _MAX_LANES else ()


def _narrowed(drawing: _Drawing, count: int) -> _Drawing:
    """A drawing with as many ticks as there is room for beside the others."""
    if drawing.scale is None or count == 1:
        return drawing
    return replace(drawing, scale=replace(drawing.scale, steps=3 if count == 2 else 2))


def _numbers(grid: Grid, places: Sequence[int], scale: str = "") -> list[Number]:
    rows = (row for k, row in enumerate(grid.rows) if not scale or grid.scales[k] == scale)
    return [content for row in rows for place in places if isinstance(content := row[place], Number)]


def _slots(grid: Grid, drawings: Sequence[_Drawing]) -> Iterator[_Slot]:
    """A drawing follows its columns; on scales of their own, rows have it before the numbers."""
    for place in range(len(grid.columns)):
        if grid.series and place == grid.labels:
            yield _Curves()
        yield from (each for each in drawings if each.row_scales and each.columns[0] == place)
        yield place
        yield from (each for each in drawings if each.scale and each.columns[-1] == place)


def _header(grid: Grid, slot: _Slot) -> Header:
    if isinstance(slot, _Curves):
        return Header("curve", classes="lane")
    if isinstance(slot, _Drawing):
        return Header(slot.title, classes="lane", scale=slot.scale)
    column = grid.columns[slot]
    title = (column.short if column.group else "") or column.title
    is_label = column.align == "left"
    is_lower_better = column.is_lower_better or any(isinstance(row[slot], PValue) for row in grid.rows)
    is_aligned = any(Flag.ALIGNED in row[slot].flags for row in grid.rows)
    classes = " ".join(filter(None, ("" if is_label else "number", "aligned" if is_aligned else "")))
    return Header(title, column.help, classes, column.role, None, is_label, is_lower_better)


def _groups(grid: Grid, slots: Sequence[_Slot]) -> Iterator[tuple[str, str, int]]:
    """Neighbours of one group share a heading; nothing without any group."""
    if any(column.group for column in grid.columns):
        for (text, aside), members in groupby(slots, key=lambda slot: _group(grid, slot)):
            yield text, aside, len(list(members))


def _group(grid: Grid, slot: _Slot) -> tuple[str, str]:
    return (grid.columns[slot].group, grid.columns[slot].group_note) if isinstance(slot, int) else ("", "lane")


def _legend(grid: Grid, rows: Iterable[tuple[str, tuple[TableCell, ...]]]) -> Iterator[str]:
    if any(Flag.AMONG_BEST in content.flags for row in grid.rows for content in row):
        yield AMONG_BEST_NOTE
    if any(mark.beyond for _, row in rows for shown in row if shown.lane for mark in shown.lane.marks):
        yield _BEYOND_NOTE


def _slot_cell(grid: Grid, row: int, slot: _Slot) -> TableCell:
    if isinstance(slot, _Curves):
        return TableCell(lane=curve(grid.series[row], grid.series), classes="lane")
    if isinstance(slot, _Drawing):
        return TableCell(lane=_lane(grid, row, slot), classes="lane")
    shown = cell(grid.rows[row][slot])
    if grid.columns[slot].align == "right" and isinstance(grid.rows[row][slot], Text):
        shown = replace(shown, classes=f"number {shown.classes}")
    if any(isinstance(content, Interval) for content in grid.rows[row]):  # it has a column of its own
        shown = replace(shown, aside="")
    return replace(shown, pair=grid.pairs.get((row, slot)))


def _lane(grid: Grid, row: int, drawing: _Drawing) -> Lane | None:
    scale = drawing.row_scales[row] if drawing.row_scales else drawing.scale
    numbers = [content for place in drawing.columns if isinstance(content := grid.rows[row][place], Number)]
    if scale is None or all(math.isnan(number.value) for number in numbers):
        return None
    is_last = row + 1 == len(grid.rows) or drawing.row_scales[row + 1 : row + 2] != (scale,)
    looks = [_classes(number.flags, _LOOKS) for number in numbers]
    ticks = scale.ticks if drawing.row_scales and is_last else ()
    return Lane(marks(numbers, looks, scale), zero=scale.zero, ticks=ticks)


def cell(content: Cell) -> TableCell:
    """A cell of a grid."""
    classes, text = _classes(content.flags, _CLASSES), cell_text(content)
    number = f"number {classes}".strip()
    match content:
        case Number():
            value, aside = _parted(content)
            shown = "".join(mark for flag, mark in _MARKS.items() if flag in content.flags)
            return TableCell(f"{value}{shown}", aside, _tooltip(content), number, _order(content.value))
        case Passage():
            pieces = tuple((piece.text, bool(piece.flags)) for piece in content.pieces)
            return TableCell(pieces=pieces, classes="passage")
        case Text():
            return TableCell(text, classes=f"{classes} {'short' if len(text) <= _SHORT else ''}".strip())
        case Segments():
            return TableCell(segments=content, classes=number)
        case Count():
            return TableCell(text, classes=number, order=float(content.value))
        case PValue():
            return TableCell(text, "", _p_tooltip(content), f"p {number}", _order(content.value))
        case Interval() | RankRange():
            is_range = isinstance(content, RankRange)
            return TableCell(text.replace("-", "–") if is_range else true_minus(text), classes=number)


def _parted(number: Number) -> tuple[str, str]:
    """The value, and what follows it and its marks: the interval or the spread, n or the rank, or the p-value."""
    bare = replace(number, flags=frozenset())
    value = cell_text(replace(bare, low=math.nan, high=math.nan, spread=math.nan, n=None, bracketed=None, p=None))
    aside = cell_text(bare).removeprefix(value).strip() if number.p is None else cell_text(number.p)
    return true_minus(value), true_minus(aside)


def _tooltip(number: Number) -> str:
    if math.isnan(number.value):
        return number.reason or _UNDEFINED
    text = f"{number.value:.6g}"
    if math.isfinite(number.low) and math.isfinite(number.high):
        text += f", from {number.low:.6g} to {number.high:.6g}"
    return text if number.reason is None else f"{text}; {number.reason}"


def _p_tooltip(content: PValue) -> str:
    if math.isnan(content.value):
        return _UNDEFINED
    return f"p {'≤' if content.is_bound else '='} {content.value:.4g}"


def _order(value: float) -> float | None:
    return None if math.isnan(value) else value


def _classes(flags: Flags, names: Mapping[Flag, str]) -> str:
    return " ".join(name for flag, name in names.items() if flag in flags)
