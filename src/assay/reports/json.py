"""JSON, the schemas are in docs/formats.md. Never a bare NaN: null and a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.reports.document import Document

__all__ = ["Json"]


@renderer("json")
@dataclass(frozen=True)
class Json(Renderer):
    """One JSON object."""

    suffixes = (".json",)

    def render(self, document: Document) -> str:
        return json.dumps(document.tree(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
