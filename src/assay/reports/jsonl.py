"""JSON lines: an object for each row. Never a bare NaN: null and a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.document import Document

__all__ = ["JsonLines"]


@renderer("jsonl")
@dataclass(frozen=True)
class JsonLines(Renderer):
    """One flat JSON object a line."""

    suffixes = (".jsonl",)

    def render(self, document: Document) -> str:
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in document.rows())
