"""Parquet, for data frames. Needs the extra `io`."""

from __future__ import annotations

import io
from dataclasses import dataclass

from assay.errors import MissingExtraError
from assay.reports import Document, Renderer, renderer
from assay.reports.documents import are_columns_of_rows

__all__ = ["Parquet"]


@renderer("parquet")
@dataclass(frozen=True)
class Parquet(Renderer):
    """Typed columns; missing values are null."""

    suffixes = (".parquet",)

    def render(self, document: Document) -> bytes:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise MissingExtraError("Parquet needs pyarrow", hint='pip install "assay[io]"') from error
        types = {str: pyarrow.string(), float: pyarrow.float64(), int: pyarrow.int64(), bool: pyarrow.bool_()}
        schema = pyarrow.schema([(name, types[kind]) for name, kind in document.columns.items()])
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(document.rows), schema=schema), buffer)
        return buffer.getvalue()

    def recognises(self, content: bytes) -> bool:
        import pyarrow
        import pyarrow.parquet

        try:
            names = pyarrow.parquet.read_schema(io.BytesIO(content)).names
        except (pyarrow.ArrowException, OSError, ValueError):
            return False
        return are_columns_of_rows(names)
