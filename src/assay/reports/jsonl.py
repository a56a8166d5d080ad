"""JSON lines: one object per row. A missing value is null, never NaN."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer

__all__ = ["JsonLines"]


@renderer("jsonl")
@dataclass(frozen=True)
class JsonLines(Renderer):
    """One flat JSON object per line."""

    suffixes = (".jsonl",)

    def render(self, document: Document) -> str:
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in document.rows)
