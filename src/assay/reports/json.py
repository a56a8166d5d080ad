"""JSON, version 1 of the schema in docs/formats.md. Never a bare NaN: null and a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.results import Run

__all__ = ["Json"]


@renderer("json")
@dataclass(frozen=True)
class Json(Renderer):
    """One JSON object."""

    suffixes = (".json",)

    def render(self, run: Run) -> str:
        document = run.to_dict(segments=self.segments, sacrebleu=self.sacrebleu)
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
