"""Candidates for a published number, as a document."""

from __future__ import annotations

from collections.abc import Iterator
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
        others = [candidate for candidate in self.match.candidates if candidate not in matches]
        if matches:
            yield self._section(f"{self.match.published} is", list(matches))
        else:
            note = f"none of {self.match.tried:,} settings gives {self.match.published}"
            yield Section((Grid((note,), ()),))
        if others:
            yield self._section("nearest others" if matches else "nearest", others)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each candidate."""
        return self.match.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.match.to_dict()

    def _section(self, title: str, candidates: list[Candidate]) -> Section:
        rows = tuple(
            (c.spec, "+".join(c.references), c.aggregation, c.system, c.alternatives_text, *self._numbers(c))
            for c in candidates
        )
        header = (title, "reference", "aggregation", "system", "no difference", "score", "off by")
        return Section((Grid(header, rows, labels=5),))

    def _numbers(self, candidate: Candidate) -> tuple[str, str]:
        return f"{candidate.value:.3f}", f"{candidate.value - self.match.value:+.3f}"
