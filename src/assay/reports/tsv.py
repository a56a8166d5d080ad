"""Tab-separated values: a header, and a row for each fact."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.document import Document

__all__ = ["Tsv"]


@renderer("tsv")
@dataclass(frozen=True)
class Tsv(Renderer):
    """An empty cell is an undefined or absent value; a tab or line end inside a text becomes a space."""

    suffixes = (".tsv",)

    def render(self, document: Document) -> str:
        lines = [list(document.columns), *([_cell(value) for value in row.values()] for row in document.rows())]
        return "".join("\t".join(line) + "\n" for line in lines)


def _cell(value: object) -> str:
    return "" if value is None else " ".join(re.split(r"[\t\r\n]", str(value)))
