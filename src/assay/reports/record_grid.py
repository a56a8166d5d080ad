"""Grids of records: titles, alignment and cells follow from the columns that a result declares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assay.reports.cells import BLANK, Cell, Count, Flags, Number, PValue, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section
from assay.results import Estimate, Result
from assay.results.columns import ResultColumn, Shown, Unit, look_up
from assay.results.estimate import decimals_for

__all__ = [
    "TABLES",
    "Look",
    "grid_column",
    "record_cell",
    "record_columns",
    "record_grid",
    "rows_document",
    "shown_columns",
]

_RATE_DECIMALS = 3
_CHANGE_DECIMALS = 1  # of per cent
TABLES = Shown.TABLE | Shown.DETAILS
"""The forms of a grid of records: all details where there is no summary."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the cells of a table depend on besides their values."""

    decimals: int | None = None
    """Of scores and differences between them; None: as many as are worth showing, for each."""
    alpha: float = math.nan
    """The level of tests, across which no p-value is rounded; NaN: there is none."""
    words: Mapping[str, str | Text] = field(default_factory=dict)
    """What stands for the `{word}`s in titles."""
    flags: Callable[[Any], Flags] = lambda record: frozenset()
    """What is marked at the difference and the p-value of a record."""


def record_grid(
    columns: Iterable[ResultColumn], records: Iterable[Any], look: Look | None = None, captions: Sequence[Caption] = ()
) -> Grid:
    """A row for each record, with the columns that tables show; texts come first, because they label the rows."""
    found = list(records)
    return Grid.of(record_columns(sorted(columns, key=_is_number), found, look), captions)


def record_columns(
    columns: Iterable[ResultColumn], records: Sequence[Any], look: Look | None = None, forms: Shown = TABLES
) -> list[tuple[Column, list[Cell]]]:
    """The columns that one of the forms shows, each with its cells; None instead of a record: blank."""
    look = look or Look()
    shown = shown_columns(columns, [record for record in records if record is not None], forms)
    return [
        (
            grid_column(column, look.words),
            [BLANK if each is None else record_cell(column, each, look) for each in records],
        )
        for column in shown
    ]


def rows_document(result: Result) -> Document:
    """Any result as a document: a grid of the columns that it declares for tables.

    If there are none: of those that have a value in any row, with the names of files.
    """
    named = [replace(column, label=column.name, shown=Shown.TABLE, optional=True) for column in result.file_columns()]
    columns = [column for column in result.columns if TABLES & column.shown] or named

    def section() -> Section:
        return Section((record_grid(columns, result.records()),), signatures=tuple(filter(None, (result.signature,))))

    return Document.of(result, lambda: [section()], lists=TABLES)


def shown_columns(columns: Iterable[ResultColumn], records: Sequence[Any], forms: Shown = TABLES) -> list[ResultColumn]:
    """The columns that one of the forms shows; optional ones only if a record has a value, or at least a bound."""
    shown = (column for column in columns if forms & column.shown)
    return [each for each in shown if not each.optional or any(_is_known(each.value(record)) for record in records)]


def record_cell(column: ResultColumn, record: Any, look: Look) -> Cell:
    """The cell of a record, as the unit of its column is written; blank if it has no value and needs no reason."""
    value = column.value(record)
    if value is None and not column.reason:
        return BLANK
    match column.written_as:
        case Unit.TEXT | Unit.LIST:
            return Text(str(column.cell(record) or ""))
        case Unit.P_VALUE:
            is_bound = bool(column.bound and look_up(record, column.bound))
            return PValue(value, look.alpha, look.flags(record), is_bound=is_bound)
        case Unit.COUNT | Unit.ORDINAL if value is not None:
            return Count(value, grouped=column.written_as is Unit.COUNT)
        case unit:
            reason = look_up(record, column.reason) if column.reason else None
            return _number(unit, value, reason, record, look)


def _number(unit: Unit, value: float | Estimate | None, reason: str | None, record: Any, look: Look) -> Number:
    """A value with its interval, if it is an estimate."""
    estimate = value if isinstance(value, Estimate) else Estimate(math.nan if value is None else value, 0)
    numbers, reason = (estimate.value, estimate.low, estimate.high), estimate.reason or reason
    decimals = decimals_for([estimate.value]) if look.decimals is None else look.decimals
    if unit is Unit.SHARE:
        value, low, high = (100 * number for number in numbers)
        return Number(value, 0, low, high, reason=reason)
    if unit is Unit.CHANGE:
        value, low, high = (100 * number for number in numbers)
        return Number(value, _CHANGE_DECIMALS, low, high, style="signed", reason=reason)
    value, low, high = numbers
    if unit is Unit.DIFFERENCE:
        flags = look.flags(record)
        return Number(value, decimals, low, high, style="signed", reason=reason, flags=flags)
    return Number(value, _RATE_DECIMALS if unit is Unit.RATE else decimals, low, high, reason=reason)


def grid_column(column: ResultColumn, words: Mapping[str, str | Text]) -> Column:
    """The title of a column, in which words stand for their names."""
    plain = {name: word.text if isinstance(word, Text) else word for name, word in words.items()}
    labels = {name: word.label or word.text if isinstance(word, Text) else word for name, word in words.items()}
    title, label = column.title.format_map(plain), column.title.format_map(labels)
    return Column(
        title,
        "right" if _is_number(column) else "left",
        short=column.short,
        label="" if label == title else label,
        help=column.help,
        name=column.name,
    )


def _is_number(column: ResultColumn) -> bool:
    return column.written_as is not Unit.TEXT


def _is_known(value: Any) -> bool:
    if isinstance(value, Estimate):
        return value.is_bounded
    return value is not None and value == value
