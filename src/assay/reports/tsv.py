"""Tab-separated values: a header and a row for each score."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.flat import COLUMNS, flat_rows
from assay.results import Run

__all__ = ["Tsv"]


@renderer("tsv")
@dataclass(frozen=True)
class Tsv(Renderer):
    """An empty cell is an undefined or absent value; a tab or line end inside a text becomes a space."""

    suffixes = (".tsv",)

    def render(self, run: Run) -> str:
        rows = flat_rows(run, segments=self.segments, sacrebleu=self.sacrebleu)
        lines = [list(COLUMNS), *([_cell(value) for value in row.values()] for row in rows)]
        return "".join("\t".join(line) + "\n" for line in lines)


def _cell(value: object) -> str:
    return "" if value is None else " ".join(re.split(r"[\t\r\n]", str(value)))
