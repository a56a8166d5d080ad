"""Tab-separated values with a header."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import are_columns_of_rows

__all__ = ["Tsv"]


@renderer("tsv")
@dataclass(frozen=True)
class Tsv(Renderer):
    """Missing values are empty cells; a tab or line end inside a text becomes a space."""

    suffixes = (".tsv",)

    def render(self, document: Document) -> str:
        lines = [list(document.columns), *([_cell(value) for value in row.values()] for row in document.rows)]
        return "".join("\t".join(line) + "\n" for line in lines)

    def recognises(self, content: bytes) -> bool:
        return are_columns_of_rows(content.partition(b"\n")[0].decode(errors="replace").split("\t"))


def _cell(value: object) -> str:
    return "" if value is None else " ".join(re.split(r"[\t\r\n]", str(value)))
