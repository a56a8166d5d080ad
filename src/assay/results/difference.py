"""How two runs differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import Result
from assay.types import FloatArray, Mask

__all__ = ["Difference", "ScoreChange", "SegmentChanges", "SettingChange", "moved_scores"]

_NUMBERS = ("low", "high", "standard_error", "standard_deviation")


@dataclass(frozen=True, slots=True)
class SettingChange:
    """An input, option or group that differs. None: the run does not have it."""

    kind: str
    name: str
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
    tolerance: float = 0.0
    """That of the metric: how much a score may differ when it is computed again."""
    decimals: int = 2
    """That of the metric: how many are worth showing."""

    @property
    def moved(self) -> bool:
        """Whether the value differs by more than the tolerance."""
        return self._moved("value")

    @property
    def rounded(self) -> bool:
        """Whether the value differs, but not by more than the tolerance."""
        return not self.moved and none_if_nan(self.first.value) != none_if_nan(self.second.value)

    @property
    def interval_moved(self) -> bool:
        """Whether the interval or its standard error differs, in the same way."""
        others = dict.fromkeys(("value", *_NUMBERS), 0)
        return {**self.first.to_dict(), **others} != {**self.second.to_dict(), **others} or any(
            map(self._moved, _NUMBERS)
        )

    def _moved(self, name: str) -> bool:
        first, second = (np.array(getattr(estimate, name)) for estimate in (self.first, self.second))
        return bool(moved_scores(first, second, self.tolerance))


@dataclass(frozen=True, slots=True)
class SegmentChanges:
    """Segment scores of a system in both runs: how many moved, and the largest moves as (segment, first, second)."""

    metric: str
    system: str
    segments: int
    moved: int
    largest: tuple[tuple[int, float, float], ...]
    decimals: int = 2
    """As for `ScoreChange`."""


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Result):
    """Inputs and settings of two runs that differ, and scores that moved."""

    settings: tuple[SettingChange, ...]
    scores: tuple[ScoreChange, ...]
    segments: tuple[SegmentChanges, ...]
    first: str = "first"
    """The name of the first run."""
    second: str = "second"
    """The name of the second run."""

    columns: ClassVar[Mapping[str, type]] = {
        "kind": str,
        "name": str,
        "first": str,
        "second": str,
        "metric": str,
        "aggregation": str,
        "group": str,
        "system": str,
        "segment": int,
        "first_value": float,
        "second_value": float,
        "difference": float,
        "first_low": float,
        "first_high": float,
        "second_low": float,
        "second_high": float,
    }

    @property
    def moved(self) -> bool:
        """Whether any score moved that both runs have: of the test set, a group or a segment."""
        return any(change.moved for change in self.scores) or any(change.moved for change in self.segments)

    @property
    def different(self) -> bool:
        """Whether anything differs."""
        return bool(self.settings) or self.moved or any(change.interval_moved for change in self.scores)

    @property
    def summary(self) -> str:
        """How many scores were compared and how many changed, in a line."""
        if not self.scores:
            return "the runs have no score in common: nothing was compared"
        moved = sum(change.moved for change in self.scores)
        intervals = sum(change.interval_moved for change in self.scores)
        return f"{moved} of {len(self.scores)} scores changed, and {intervals} of their intervals{self.rounding}"

    @property
    def rounding(self) -> str:
        """A remark on scores that differ within the tolerance of their metric; empty if there are none."""
        rounded = sum(change.rounded for change in self.scores)
        return f" ({rounded} differ within the tolerance of their metric)" if rounded else ""

    def __repr__(self) -> str:
        return f"Difference({len(self.settings)} settings differ; {self.summary})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each difference: settings, then scores and intervals, then the segments that moved most."""
        return (self._row(change) for change in self._changes())

    def tree(self) -> dict[str, Any]:
        """What was compared, and what differs."""
        return {
            "first": self.first,
            "second": self.second,
            "different": self.different,
            "moved": self.moved,
            "scores_compared": len(self.scores),
            "segments_moved": [
                {"metric": c.metric, "system": c.system, "segments": c.segments, "moved": c.moved}
                for c in self.segments
            ],
            "changes": list(self._changes()),
        }

    def _changes(self) -> Iterator[dict[str, Any]]:
        for setting in self.settings:
            yield {name: getattr(setting, name) for name in ("kind", "name", "first", "second")}
        for score in self.scores:
            if score.moved or score.interval_moved:
                yield _score_values(score)
        for changes in self.segments:
            for segment, first, second in changes.largest:
                where = {"kind": "segment", "metric": changes.metric, "system": changes.system, "segment": segment}
                yield where | _values(first, second)


def moved_scores(first: FloatArray, second: FloatArray, tolerance: float) -> Mask:
    """Which scores differ by more than a tolerance, which is relative to the score, or to 1 if that is larger."""
    is_same = (first == second) | (np.isnan(first) & np.isnan(second))
    size = np.fmax(1.0, np.fmax(np.abs(first), np.abs(second)))
    with np.errstate(invalid="ignore"):  # infinite ones
        is_close = np.abs(first - second) <= tolerance * size
    return np.asarray(~(is_same | is_close))


def _score_values(score: ScoreChange) -> dict[str, Any]:
    return {
        "kind": "score" if score.moved else "interval",
        "metric": score.metric,
        "aggregation": score.aggregation,
        "group": score.group,
        "system": score.system,
        **_values(score.first.value, score.second.value),
        **{f"first_{name}": none_if_nan(getattr(score.first, name)) for name in ("low", "high")},
        **{f"second_{name}": none_if_nan(getattr(score.second, name)) for name in ("low", "high")},
    }


def _values(first: float, second: float) -> dict[str, float | None]:
    return {
        "first_value": none_if_nan(first),
        "second_value": none_if_nan(second),
        "difference": none_if_nan(second - first),
    }
