"""JSON lines: an object for each score. Never a bare NaN: null and a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.flat import flat_rows
from assay.results import Run

__all__ = ["JsonLines"]


@renderer("jsonl")
@dataclass(frozen=True)
class JsonLines(Renderer):
    """One flat JSON object a line."""

    suffixes = (".jsonl",)

    def render(self, run: Run) -> str:
        rows = flat_rows(run, segments=self.segments, sacrebleu=self.sacrebleu)
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
