"""Which settings give a published number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.results.scores import SCHEMA_VERSION

__all__ = ["Candidate", "Match"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A setting, and the score it gives."""

    system: str
    spec: str
    references: tuple[str, ...]
    aggregation: str
    value: float
    departures: int
    """How many of the choices are not the usual ones: the fewer, the likelier."""
    signature: str
    alternatives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Options that could have other values here without changing the score, and those values."""

    @property
    def alternatives_text(self) -> str:
        """As `smooth=exp/floor, effective_order=no/yes`."""
        return ", ".join(f"{option}={'/'.join(values)}" for option, values in self.alternatives)


@dataclass(frozen=True, slots=True)
class Match:
    """Candidates for a published number: those that round to it, the likeliest first; then others, nearest first."""

    published: str
    value: float
    tolerance: float
    candidates: tuple[Candidate, ...]
    tried: int
    """How many settings were tried; `candidates` may be the first of them only."""
    notes: tuple[str, ...] = ()

    def is_match(self, candidate: Candidate) -> bool:
        """Whether the score is within the rounding of the published number."""
        return abs(candidate.value - self.value) <= self.tolerance

    @property
    def matches(self) -> tuple[Candidate, ...]:
        """The candidates within the rounding of the published number."""
        return tuple(filter(self.is_match, self.candidates))

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a candidate, in order."""
        for candidate in self.candidates:
            yield {
                "match": "yes" if self.is_match(candidate) else "no",
                "value": candidate.value,
                "off": candidate.value - self.value,
                "system": candidate.system,
                "metric": candidate.spec,
                "references": "+".join(candidate.references),
                "aggregation": candidate.aggregation,
                "departures": candidate.departures,
                "alternatives": candidate.alternatives_text or None,
                "signature": candidate.signature,
            }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "version": SCHEMA_VERSION,
            "published": self.published,
            "value": self.value,
            "tolerance": self.tolerance,
            "tried": self.tried,
            "candidates": list(self.rows()),
            "notes": list(self.notes),
        }
