"""JSON lines: one object per row. A missing value is null, never NaN."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import are_columns_of_rows

__all__ = ["JsonLines"]


@renderer("jsonl")
@dataclass(frozen=True)
class JsonLines(Renderer):
    """One flat JSON object per line."""

    suffixes = (".jsonl",)

    def render(self, document: Document) -> str:
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in document.rows)

    def recognises(self, content: bytes) -> bool:
        try:
            row = json.loads(content.partition(b"\n")[0])
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and are_columns_of_rows(row)
