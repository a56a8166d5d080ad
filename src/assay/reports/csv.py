"""Comma-separated values for spreadsheets. Text that a spreadsheet would run as a formula gets an apostrophe."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import are_columns_of_rows

__all__ = ["Csv"]

_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


@renderer("csv")
@dataclass(frozen=True)
class Csv(Renderer):
    """Missing values are empty cells; numbers stay numbers."""

    suffixes = (".csv",)

    def render(self, document: Document) -> str:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(document.columns)
        for row in document.rows:
            writer.writerow([_cell(value) for value in row.values()])
        return buffer.getvalue()

    def recognises(self, content: bytes) -> bool:
        return are_columns_of_rows(content.partition(b"\n")[0].decode(errors="replace").split(","))


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
