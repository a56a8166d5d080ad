"""How two runs differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.results.scores import SCHEMA_VERSION, Estimate, none_if_nan

__all__ = ["Difference", "ScoreChange", "SegmentChanges", "SettingChange"]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Something a run was made from: an input, a system, an option. None: the run has no such thing."""

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
        """Whether value or interval differ at all."""
        return self.first.to_dict() != self.second.to_dict()

    @property
    def delta(self) -> float:
        """Second minus first."""
        return self.second.value - self.first.value


@dataclass(frozen=True, slots=True)
class SegmentChanges:
    """Segment scores of a system that both runs have: how many moved, and the largest moves as (segment, from, to)."""

    metric: str
    system: str
    segments: int
    moved: int
    largest: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What two runs were made from that differs, and where their numbers moved."""

    settings: tuple[SettingChange, ...]
    scores: tuple[ScoreChange, ...]
    segments: tuple[SegmentChanges, ...]

    @property
    def moved(self) -> bool:
        """Whether any number moved that both runs have."""
        return any(change.moved for change in self.scores) or any(change.moved for change in self.segments)

    @property
    def different(self) -> bool:
        """Whether anything differs."""
        return bool(self.settings) or self.moved

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for each thing that differs."""
        for setting in self.settings:
            yield {"kind": setting.kind, "what": setting.what, "first": setting.first, "second": setting.second}
        for score in self.scores:
            if score.moved:
                yield {
                    "kind": "score",
                    "metric": score.metric,
                    "aggregation": score.aggregation,
                    "group": score.group,
                    "system": score.system,
                    **_moved(score.first.value, score.second.value),
                }
        for changes in self.segments:
            for segment, first, second in changes.largest:
                yield {
                    "kind": "segment",
                    "metric": changes.metric,
                    "system": changes.system,
                    "segment": segment,
                    **_moved(first, second),
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


def _moved(first: float, second: float) -> dict[str, float | None]:
    return {
        "first_value": none_if_nan(first),
        "second_value": none_if_nan(second),
        "delta": none_if_nan(second - first),
    }
