"""Excel workbooks. Needs the extra `xlsx`."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assay.errors import ConfigError, MissingExtraError, installing
from assay.reports import Document, Renderer, renderer

__all__ = ["Xlsx"]

_MAX_NAME = 31
_MAX_PROPERTIES = 1 << 16
_MAX_ROWS = 1_048_575
_AUTHOR = "assay"
_FIXED_DATE = datetime(2000, 1, 1)  # the same result gives the same bytes


@renderer("xlsx")
@dataclass(frozen=True)
class Xlsx(Renderer):
    """Numbers stay numbers and texts stay texts: no formulas, no links."""

    suffixes = (".xlsx",)
    is_binary = True

    def render(self, document: Document) -> bytes:
        try:
            import xlsxwriter
        except ImportError as error:
            raise MissingExtraError("workbooks need XlsxWriter", hint=installing("xlsx")) from error
        sheets: dict[str, list[dict[str, Any]]] = {}
        for row in document.rows:
            sheets.setdefault(str(row[document.sheet]) if document.sheet else "results", []).append(row)
        buffer = io.BytesIO()
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        with xlsxwriter.Workbook(buffer, options) as book:
            book.set_properties({"created": _FIXED_DATE, "author": _AUTHOR})
            bold = book.add_format({"bold": True})
            for name, rows in zip(_sheet_names(sheets), sheets.values(), strict=True):
                sheet = book.add_worksheet(name)
                sheet.freeze_panes(1, 1)
                if len(rows) > _MAX_ROWS:
                    raise ConfigError(f"{len(rows):,} rows do not fit into a sheet", hint="write Parquet: -o x.parquet")
                sheet.write_row(0, 0, document.columns, bold)
                for number, row in enumerate(rows, 1):
                    if sheet.write_row(number, 0, row.values()):
                        raise ConfigError("a text is too long for a cell", hint="write Parquet: -o x.parquet")
                sheet.autofit()
        return buffer.getvalue()

    def recognises(self, content: bytes) -> bool:
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as book, book.open("docProps/core.xml") as properties:
                return f"<dc:creator>{_AUTHOR}</dc:creator>".encode() in properties.read(_MAX_PROPERTIES)
        except (zipfile.BadZipFile, KeyError, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
            return False


def _sheet_names(wanted: Iterable[str]) -> list[str]:
    """The names without forbidden characters, cut to the limit of workbooks and made unique by a number."""
    names: list[str] = []
    taken: set[str] = set()
    for name in wanted:
        clean = re.sub(r"[\[\]:*?/\\]", " ", name).strip("' ")[:_MAX_NAME] or "results"
        candidate, count = clean, 1
        while candidate.casefold() in taken:
            count += 1
            candidate = f"{clean[: _MAX_NAME - len(str(count)) - 1]} {count}"
        taken.add(candidate.casefold())
        names.append(candidate)
    return names
