"""How two runs differ, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section, number
from assay.results import Difference, ScoreChange

__all__ = ["DifferenceDocument"]

_DIGEST_SHOWN = 12


@dataclass(frozen=True)
class DifferenceDocument(Document):
    """What the two were made from, the scores and segments that moved; `first` and `second` are their names."""

    difference: Difference
    first: str
    second: str

    columns: ClassVar = {
        "kind": str,
        "what": str,
        "first": str,
        "second": str,
        "metric": str,
        "aggregation": str,
        "group": str,
        "system": str,
        "segment": int,
        "first_value": float,
        "second_value": float,
        "delta": float,
        "first_low": float,
        "first_high": float,
        "second_low": float,
        "second_high": float,
    }

    def sections(self) -> Iterator[Section]:
        """First what explains, then what moved."""
        if not self.difference.different:
            yield Section((Grid((self._same(),), ()),))
            return
        if self.difference.settings:
            rows = [
                (c.kind, c.what, _short(c.kind, c.first), _short(c.kind, c.second)) for c in self.difference.settings
            ]
            yield Section((Grid(("made from", "", self.first, self.second), tuple(rows), labels=4),))
        moved = [change for change in self.difference.scores if change.moved]
        yield Section((self._score_grid(moved) if moved else Grid((self.difference.summary,), ()),))
        if any(change.moved for change in self.difference.segments):
            yield Section((self._segment_grid(),))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each thing that differs."""
        for row in self.difference.rows():
            yield dict.fromkeys(self.columns) | row

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return {"first": self.first, "second": self.second, **self.difference.to_dict()}

    def _same(self) -> str:
        scores = len(self.difference.scores)
        return f"{self.first} and {self.second} are the same: inputs, settings and all {scores} scores"

    def _score_grid(self, moved: list[ScoreChange]) -> Grid:
        rows = [
            (c.metric, c.aggregation, c.group or "", c.system, *_values(c.first.value, c.second.value)) for c in moved
        ]
        header = ("scores that moved", "", "", "", self.first, self.second, "change")
        return Grid(header, tuple(rows), labels=4, remarks=(self.difference.summary,))

    def _segment_grid(self) -> Grid:
        rows = [
            (f"{c.metric} {c.system} ({c.moved} of {c.segments})" if i == 0 else "", str(segment), *_values(a, b))
            for c in self.difference.segments
            for i, (segment, a, b) in enumerate(c.largest)
        ]
        header = ("segments that moved most", "segment", self.first, self.second, "change")
        return Grid(header, tuple(rows), labels=1)


def _short(kind: str, value: str | None) -> str:
    """A dash for what is not there, and the beginning of a digest: enough to tell two apart."""
    return "–" if value is None else value[:_DIGEST_SHOWN] if kind == "input" else value


def _values(first: float, second: float) -> tuple[str, str, str]:
    """To so many decimals that the change shows."""
    delta = second - first
    if delta != delta or abs(delta) >= 0.005:
        return number(first), number(second), number(delta) if delta != delta or delta <= 0 else f"+{number(delta)}"
    return f"{first:.6f}", f"{second:.6f}", f"{delta:+.1e}"
