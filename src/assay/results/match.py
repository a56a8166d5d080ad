"""Which settings give a published number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.results.scores import SCHEMA_VERSION, html_table

__all__ = ["Candidate", "Match"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A setting, and the score it gives."""

    system: str
    spec: str
    references: tuple[str, ...]
    aggregation: str
    value: float
    off: float
    """How far the score is from the published number."""
    is_match: bool
    """Whether it is within the rounding of the published number."""
    departures: int
    """How many of the choices are not the usual ones: the fewer, the likelier."""
    signature: str
    alternatives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Options that could have other values here without changing the score, and those values."""

    @property
    def alternatives_text(self) -> str:
        """As `smooth=exp/floor, effective_order=no/yes`."""
        return ", ".join(f"{option}={'/'.join(values)}" for option, values in self.alternatives)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "match": self.is_match,
            "value": self.value,
            "off": self.off,
            "system": self.system,
            "metric": self.spec,
            "references": list(self.references),
            "aggregation": self.aggregation,
            "departures": self.departures,
            "alternatives": {option: list(values) for option, values in self.alternatives},
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """Candidates for a published number: those that round to it, the likeliest first; then others, nearest first."""

    published: str
    readings: Mapping[float, float]
    """The values the number may stand for (0.27 is 0.27, or 27 of 100), and how far its rounding reaches."""
    candidates: tuple[Candidate, ...]
    tried: int
    """How many settings were tried; those with one score are one candidate."""
    matched: int
    """How many candidates are within the rounding; `candidates` may have only the first of them."""
    notes: tuple[str, ...] = ()

    @property
    def matches(self) -> tuple[Candidate, ...]:
        """The candidates within the rounding of the published number."""
        return tuple(candidate for candidate in self.candidates if candidate.is_match)

    def __repr__(self) -> str:
        best = f"; first {self.candidates[0].spec} {self.candidates[0].value:.3f}" if self.candidates else ""
        return f"Match({self.published}: {self.matched} of {self.tried} settings{best})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a candidate, in order."""
        for candidate in self.candidates:
            yield candidate.to_dict() | {
                "match": "yes" if candidate.is_match else "no",
                "references": "+".join(candidate.references),
                "alternatives": candidate.alternatives_text or None,
            }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "version": SCHEMA_VERSION,
            "published": self.published,
            "readings": [{"value": value, "tolerance": tolerance} for value, tolerance in self.readings.items()],
            "tried": self.tried,
            "matched": self.matched,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        shown = ("match", "value", "off", "system", "metric", "references", "aggregation", "alternatives")
        return html_table(shown, [[row[name] or "" for name in shown] for row in self.rows()])
