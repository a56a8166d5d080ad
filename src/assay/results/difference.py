"""How two runs differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.lazily import numpy as np
from assay.results.columns import ResultColumn, Unit, text_columns
from assay.results.estimate import Estimate
from assay.results.result import Result
from assay.types import FloatArray, Mask
from assay.types.note import plural
from assay.types.record import OMITTED, Record, none_if_nan

__all__ = ["Difference", "ScoreChange", "SegmentChanges", "SettingChange", "moved_scores"]

_NUMBERS = ("low", "high", "standard_error", "standard_deviation")


@dataclass(frozen=True, slots=True)
class SettingChange(Record):
    """An input, option or group that differs. None: the run does not have it."""

    kind: str
    name: str
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class ScoreChange(Record):
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
class SegmentChanges(Record):
    """Segment scores of a system in both runs: how many moved, and the largest moves as (segment, first, second)."""

    metric: str
    system: str
    segments: int
    moved: int
    largest: tuple[tuple[int, float, float], ...] = field(metadata=OMITTED)
    decimals: int = field(default=2, metadata=OMITTED)
    """As for `ScoreChange`."""


def _of_score(*path: str) -> Callable[[dict[str, Any]], Any]:
    """Reads from the score that a record is of, if it is of one and has such a value."""

    def read(record: dict[str, Any]) -> Any:
        value = record.get("score")
        for name in path:
            value = getattr(value, name, None)
        return value

    return read


def _difference(record: dict[str, Any]) -> float | None:
    return record["second_value"] - record["first_value"] if "score" in record else None


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Result):
    """Inputs and settings of two runs that differ, and scores that moved."""

    settings: tuple[SettingChange, ...] = field(metadata=OMITTED)
    scores: tuple[ScoreChange, ...] = field(metadata=OMITTED)
    segments: tuple[SegmentChanges, ...]
    first: str = "first"
    """The name of the first run."""
    second: str = "second"
    """The name of the second run."""

    made_by: ClassVar[str] = "diff"
    derived: ClassVar[tuple[str, ...]] = ("different", "moved", "scores_compared")
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("kind", help="What differs: an input, option, group, score, interval or segment."),
        *text_columns(("name", "first", "second")),
        *(ResultColumn(name, read=_of_score(name)) for name in ("metric", "aggregation", "group", "system")),
        ResultColumn("segment", int, unit=Unit.ORDINAL),
        ResultColumn("first_value", float, unit=Unit.SCORE),
        ResultColumn("second_value", float, unit=Unit.SCORE),
        ResultColumn("difference", float, _difference, unit=Unit.DIFFERENCE),
        *(
            ResultColumn(f"{run}_{bound}", float, _of_score(run, bound), unit=Unit.SCORE)
            for run in ("first", "second")
            for bound in ("low", "high")
        ),
    )

    @property
    def moved(self) -> bool:
        """Whether any score moved that both runs have: of the test set, a group or a segment."""
        return any(change.moved for change in self.scores) or any(change.moved for change in self.segments)

    @property
    def different(self) -> bool:
        """Whether anything differs."""
        return bool(self.settings) or self.moved or any(change.interval_moved for change in self.scores)

    def __repr__(self) -> str:
        moved = sum(change.moved for change in self.scores)
        scores = plural(len(self.scores), "score")
        return f"Difference({plural(len(self.settings), 'setting')} and {moved} of {scores} differ)"

    @property
    def scores_compared(self) -> int:
        """How many scores both runs have."""
        return len(self.scores)

    @property
    def signature(self) -> str:
        """Nothing reproduces a difference but the two runs."""
        return ""

    def records(self) -> Iterator[dict[str, Any]]:
        """One for each difference: settings, then scores and intervals, then the segments that moved most."""
        yield from (setting.tree() for setting in self.settings)
        for score in self.scores:
            if score.moved or score.interval_moved:
                kind = "score" if score.moved else "interval"
                yield {
                    "kind": kind,
                    "score": score,
                    "first_value": score.first.value,
                    "second_value": score.second.value,
                }
        for changes in self.segments:
            for segment, first, second in changes.largest:
                where = {"kind": "segment", "score": changes, "segment": segment}
                yield {**where, "first_value": first, "second_value": second}


def moved_scores(first: FloatArray, second: FloatArray, tolerance: float) -> Mask:
    """Which scores differ by more than a tolerance, which is relative to the score, or to 1 if that is larger."""
    is_same = (first == second) | (np.isnan(first) & np.isnan(second))
    size = np.fmax(1.0, np.fmax(np.abs(first), np.abs(second)))
    with np.errstate(invalid="ignore"):  # infinite ones
        is_close = np.abs(first - second) <= tolerance * size
    return np.asarray(~(is_same | is_close))
