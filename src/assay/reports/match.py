"""Candidates for a published number, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section
from assay.results import Candidate, Match

__all__ = ["MatchDocument"]


@dataclass(frozen=True)
class MatchDocument(Document):
    """The candidates within the rounding of the published number, then the nearest others."""

    match: Match

    columns: ClassVar = {
        "match": str,
        "value": float,
        "off": float,
        "system": str,
        "metric": str,
        "references": str,
        "aggregation": str,
        "departures": int,
        "alternatives": str,
        "signature": str,
    }

    def sections(self) -> Iterator[Section]:
        """One grid of those that match and one of those that do not."""
        matches = self.match.matches
        others = [candidate for candidate in self.match.candidates if not candidate.is_match]
        if matches:
            more = self.match.matched - len(matches)
            yield self._section(f"gives {self.match.published}", matches, f"and {more:,} more" if more else "")
        else:
            yield Section((Grid((f"none of {self.match.tried:,} settings gives {self.match.published}",), ()),))
        if others:
            yield self._section("nearest others" if matches else "nearest", others)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each candidate."""
        return self.match.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.match.to_dict()

    def _section(self, title: str, candidates: Sequence[Candidate], remark: str = "") -> Section:
        """What is the same for all candidates, a single system or reference, takes no column."""
        columns = {
            title: [c.spec for c in candidates],
            "system": [c.system for c in candidates],
            "reference": ["+".join(c.references) for c in candidates],
            "aggregation": [c.aggregation for c in candidates],
            "same score with": [c.alternatives_text for c in candidates],
            "score": [f"{c.value:.3f}" for c in candidates],
            "off by": [f"{c.off:+.3f}" for c in candidates],
        }
        for name, of in (("system", "system"), ("reference", "references")):
            if len({getattr(c, of) for c in self.match.candidates}) == 1:
                del columns[name]
        rows = tuple(zip(*columns.values(), strict=True))
        return Section((Grid(tuple(columns), rows, labels=len(columns) - 2, remarks=(remark,) if remark else ()),))
