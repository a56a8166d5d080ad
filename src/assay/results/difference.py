"""How two runs differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.results.scores import SCHEMA_VERSION, Estimate, html_table, none_if_nan

__all__ = ["Difference", "ScoreChange", "SegmentChanges", "SettingChange"]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Something a run was made from or has: an input, an option, a group. None: the run has no such thing."""

    kind: str
    what: str
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A score that both runs have."""

    metric: str
    aggregation: str
    group: str | None
    system: str
    first: Estimate
    second: Estimate

    @property
    def moved(self) -> bool:
        """Whether the value differs at all."""
        return none_if_nan(self.first.value) != none_if_nan(self.second.value)

    @property
    def interval_moved(self) -> bool:
        """Whether the interval or its standard error differs."""
        return {**self.first.to_dict(), "value": 0} != {**self.second.to_dict(), "value": 0}


@dataclass(frozen=True, slots=True)
class SegmentChanges:
    """Segment scores of a system that both runs have: how many moved, and the largest moves as (segment, from, to)."""

    metric: str
    system: str
    segments: int
    moved: int
    largest: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """What two runs were made from that differs, and where their numbers moved."""

    settings: tuple[SettingChange, ...]
    scores: tuple[ScoreChange, ...]
    segments: tuple[SegmentChanges, ...]

    @property
    def moved(self) -> bool:
        """Whether a score moved that both runs have, of the test set, a group or a segment."""
        return any(change.moved for change in self.scores) or any(change.moved for change in self.segments)

    @property
    def different(self) -> bool:
        """Whether anything differs."""
        return bool(self.settings) or self.moved or any(change.interval_moved for change in self.scores)

    @property
    def summary(self) -> str:
        """How much was compared and how much of it moved, in a line."""
        if not self.scores:
            return "no score is in both runs: nothing was compared"
        moved = sum(change.moved for change in self.scores)
        intervals = sum(change.interval_moved for change in self.scores)
        return f"{moved} of {len(self.scores)} scores moved, {intervals} of their intervals"

    def __repr__(self) -> str:
        return f"Difference({len(self.settings)} settings differ; {self.summary})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for each thing that differs."""
        for setting in self.settings:
            yield {"kind": setting.kind, "what": setting.what, "first": setting.first, "second": setting.second}
        for score in self.scores:
            if score.moved or score.interval_moved:
                yield {
                    "kind": "score" if score.moved else "interval",
                    "metric": score.metric,
                    "aggregation": score.aggregation,
                    "group": score.group,
                    "system": score.system,
                    **_values(score.first.value, score.second.value),
                    **{f"first_{name}": none_if_nan(getattr(score.first, name)) for name in ("low", "high")},
                    **{f"second_{name}": none_if_nan(getattr(score.second, name)) for name in ("low", "high")},
                }
        for changes in self.segments:
            for segment, first, second in changes.largest:
                yield {
                    "kind": "segment",
                    "metric": changes.metric,
                    "system": changes.system,
                    "segment": segment,
                    **_values(first, second),
                }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "different": self.different,
            "moved": self.moved,
            "scores_compared": len(self.scores),
            "segments_moved": [
                {"metric": c.metric, "system": c.system, "segments": c.segments, "moved": c.moved}
                for c in self.segments
            ],
            "changes": list(self.rows()),
        }

    def _repr_html_(self) -> str:
        rows = [[row["kind"], *(row.get(name, "") for name in _SHOWN)] for row in self.rows()]
        return html_table(["kind", *_SHOWN], rows)


_SHOWN = (
    "what",
    "first",
    "second",
    "metric",
    "aggregation",
    "system",
    "segment",
    "first_value",
    "second_value",
    "delta",
)


def _values(first: float, second: float) -> dict[str, float | None]:
    return {
        "first_value": none_if_nan(first),
        "second_value": none_if_nan(second),
        "delta": none_if_nan(second - first),
    }
