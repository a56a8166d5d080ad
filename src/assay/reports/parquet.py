"""Parquet, for data frames. Needs the extra `io`."""

from __future__ import annotations

import io
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import are_columns_of_rows
from assay.results.result import arrow_table

__all__ = ["Parquet"]


@renderer("parquet")
@dataclass(frozen=True)
class Parquet(Renderer):
    """Typed columns; missing values are null."""

    suffixes = (".parquet",)
    is_binary = True

    def render(self, document: Document) -> bytes:
        table, buffer = arrow_table(document.columns, document.rows), io.BytesIO()
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, buffer)
        return buffer.getvalue()

    def recognises(self, content: bytes) -> bool:
        import pyarrow
        import pyarrow.parquet

        try:
            names = pyarrow.parquet.read_schema(io.BytesIO(content)).names
        except (pyarrow.ArrowException, OSError, ValueError):
            return False
        return are_columns_of_rows(names)
