"""Tab-separated values: a row for every score, and with `segments` one for every segment's score too."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.results import Run

__all__ = ["Tsv"]

_COLUMNS = (
    "system",
    "metric",
    "aggregation",
    "group",
    "value",
    "low",
    "high",
    "standard_error",
    "n",
    "reason",
    "signature",
)


@renderer("tsv")
@dataclass(frozen=True)
class Tsv(Renderer):
    """A header and a row for each score; an empty cell is an undefined or absent value."""

    suffixes = (".tsv",)

    def render(self, run: Run) -> str:
        document = run.to_dict(segments=self.segments, sacrebleu=self.sacrebleu)
        rows = document["scores"]
        for scores in document.get("segment_scores", []):
            for number, value in enumerate(scores["values"], 1):
                rows.append({**scores, "aggregation": "none", "group": f"segment:{number}", "value": value, "n": 1})
        lines = [_COLUMNS, *([_cell(row.get(name)) for name in _COLUMNS] for row in rows)]
        return "".join("\t".join(line) + "\n" for line in lines)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return " ".join(text.split("\t")) if "\t" in text else text
