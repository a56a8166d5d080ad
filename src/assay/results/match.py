"""Which settings give a published number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.result import Result

__all__ = ["Candidate", "Match"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Settings, and the score they give."""

    system: str
    spec: str
    references: tuple[str, ...]
    aggregation: str
    value: float
    difference: float
    """The score minus the published number."""
    is_match: bool
    """Whether the score rounds to the published number."""
    departures: int
    """How many settings are not the defaults: the fewer, the likelier."""
    signature: str
    alternatives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Options that could have other values without changing the score, and those values."""

    @property
    def alternatives_text(self) -> str:
        """Like `smooth=exp/floor, effective_order=no/yes`."""
        return ", ".join(f"{option}={'/'.join(values)}" for option, values in self.alternatives)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "match": self.is_match,
            "value": self.value,
            "difference": self.difference,
            "system": self.system,
            "metric": self.spec,
            "references": list(self.references),
            "aggregation": self.aggregation,
            "departures": self.departures,
            "alternatives": {option: list(values) for option, values in self.alternatives},
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Match(Result):
    """Candidates for a published number: first those that round to it, likeliest first; then the nearest others."""

    published: str
    readings: Mapping[float, float]
    """The values the number may stand for (0.27 is 0.27, or 27 out of 100), and the rounding error of each."""
    candidates: tuple[Candidate, ...]
    tried: int
    """Number of settings tried. Settings that give the same score are one candidate."""
    matched: int
    """Number of candidates that round to the published number; `candidates` may hold only the first of them."""

    columns: ClassVar[Mapping[str, type]] = {
        "match": str,
        "value": float,
        "difference": float,
        "system": str,
        "metric": str,
        "references": str,
        "aggregation": str,
        "departures": int,
        "alternatives": str,
        "signature": str,
    }

    @property
    def matches(self) -> tuple[Candidate, ...]:
        """The candidates that round to the published number."""
        return tuple(candidate for candidate in self.candidates if candidate.is_match)

    def __repr__(self) -> str:
        best = f"; first {self.candidates[0].spec} {self.candidates[0].value:.3f}" if self.candidates else ""
        return f"Match({self.published}: {self.matched} of {self.tried} settings{best})"

    @property
    def nothing_computed(self) -> str:
        """That no setting has a score of any system; empty if one has."""
        return "" if self.tried else "nothing was scored: no setting has a score of any system"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per candidate, in order."""
        for candidate in self.candidates:
            yield candidate.to_dict() | {
                "match": "yes" if candidate.is_match else "no",
                "references": "+".join(candidate.references),
                "alternatives": candidate.alternatives_text or None,
            }

    def tree(self) -> dict[str, Any]:
        """The published number, how it was read, and the candidates."""
        return {
            "published": self.published,
            "readings": [{"value": value, "tolerance": tolerance} for value, tolerance in self.readings.items()],
            "tried": self.tried,
            "matched": self.matched,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }
