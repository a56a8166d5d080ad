"""Any result as a document: a grid of its rows."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import BLANK, Cell, Count, Number, Text
from assay.reports.documents import Document, Grid, Section, columns
from assay.results import Result
from assay.results.estimate import decimals_for

__all__ = ["document"]


def document(result: Result) -> Document:
    """A grid with the columns that have a value in any row, texts before numbers."""
    return Document.of(result, lambda: _sections(result))


def _sections(result: Result) -> Iterator[Section]:
    rows = list(result.rows())
    filled = [column for column in result.columns if any(row.get(column.name) is not None for row in rows)]
    labels = [column.name for column in filled if column.type is str]
    numbers = [column.name for column in filled if column.type is not str]
    cells = tuple(tuple(_cell(row[name]) for name in (*labels, *numbers)) for row in rows)
    grid = Grid(columns((*labels, *numbers), labels=len(labels)), cells)
    yield Section((grid,), signatures=(result.signature,) if result.signature else ())


def _cell(value: object) -> Cell:
    if value is None:
        return BLANK
    if isinstance(value, float):
        return Number(value, decimals_for([value]))
    return Count(value) if isinstance(value, int) else Text(str(value))
