"""A run as flat rows, one a score, for the forms that other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.results import Run

__all__ = ["COLUMNS", "flat_rows"]

COLUMNS = (
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


def flat_rows(run: Run, *, segments: bool, sacrebleu: bool) -> Iterator[dict[str, Any]]:
    """Every score, and with `segments` each segment's too, as group `segment:17` under the aggregation `none`."""
    document = run.to_dict(segments=segments, sacrebleu=sacrebleu)
    for row in document["scores"]:
        yield {name: row[name] for name in COLUMNS}
    for scores in document.get("segment_scores", []):
        for number, value in enumerate(scores["values"], 1):
            row = {"aggregation": "none", "group": f"segment:{number}", "value": value, "n": int(value is not None)}
            same = {name: scores[name] for name in ("system", "metric", "signature")}
            yield dict.fromkeys(COLUMNS) | same | row
