"""JSON; docs/formats.md has the schemas. A missing value is null with a reason, never NaN."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer

__all__ = ["Json"]


@renderer("json")
@dataclass(frozen=True)
class Json(Renderer):
    """One JSON object."""

    suffixes = (".json",)

    def render(self, document: Document) -> str:
        return json.dumps(document.tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def recognises(self, content: bytes) -> bool:
        try:
            tree = json.loads(content)
        except (ValueError, RecursionError):
            return False
        return isinstance(tree, dict) and {"version", "signature", "notes"} <= tree.keys()
