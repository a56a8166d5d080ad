"""The contents of test sets, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.reports.cells import BLANK, Count
from assay.reports.documents import Caption, Document, Section
from assay.reports.record_grid import TABLES, record_grid
from assay.results import Holdings

__all__ = ["document"]


def document(holdings: Holdings) -> Document:
    """One row per test set and language pair, without the columns that are empty in all of them."""
    return Document.of(holdings, lambda: _sections(holdings), lists=TABLES)


def _sections(holdings: Holdings) -> Iterator[Section]:
    filled = [column for column in holdings.columns if any(map(column.cell, holdings))]
    count = len(holdings)
    total = Caption("1 language pair") if count == 1 else Caption("{} language pairs", (Count(count),))
    grid = record_grid(filled, holdings, captions=(total,))
    rows = (tuple(BLANK if cell == Count(0) else cell for cell in row) for row in grid.rows)
    yield Section((replace(grid, rows=tuple(rows)),))
