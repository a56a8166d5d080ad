"""Which settings give a published number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Shown, Unit
from assay.results.result import Result
from assay.types.record import Record, in_tree

__all__ = ["Candidate", "Match"]


@dataclass(frozen=True, slots=True)
class Candidate(Record):
    """Settings, and the score they give."""

    system: str
    spec: str = field(metadata=in_tree(key="metric"))
    references: tuple[str, ...]
    aggregation: str
    value: float
    difference: float
    """The score minus the published number."""
    is_match: bool = field(metadata=in_tree(key="match"))
    """Whether the score rounds to the published number."""
    departures: int
    """How many settings differ from the defaults: the fewer, the likelier."""
    signature: str
    alternatives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Options that could have other values without changing the score, and those values."""

    @property
    def alternatives_text(self) -> str:
        """Like `smooth=exp/floor, effective_order=no/yes`."""
        return ", ".join(f"{option}={'/'.join(values)}" for option, values in self.alternatives)


_LISTED = Shown.FILE | Shown.TABLE


@dataclass(frozen=True, slots=True, repr=False)
class Match(Result):
    """Candidates for a published number: first those that round to it, likeliest first; then the nearest others."""

    published: str
    readings: Mapping[float, float] = field(metadata=in_tree(entries="value tolerance"))
    """The values the number may stand for (0.27 is 0.27, or 27 out of 100), and the rounding error of each."""
    candidates: tuple[Candidate, ...]
    tried: int
    """Number of settings tried. Settings that give the same score are one candidate."""
    matched: int
    """Number of candidates that round to the published number; `candidates` may hold only the first of them."""

    made_by: ClassVar[str] = "match"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("match", read=lambda candidate: "yes" if candidate.is_match else "no"),
        ResultColumn("metric", read="spec", label="{title}", shown=_LISTED),
        ResultColumn("system", shown=_LISTED),
        ResultColumn("references", read=lambda each: "+".join(each.references), label="reference", shown=_LISTED),
        ResultColumn("aggregation", shown=_LISTED),
        ResultColumn("alternatives", read="alternatives_text", label="same score with", shown=_LISTED),
        ResultColumn("value", float, label="score", unit=Unit.SCORE, shown=_LISTED),
        ResultColumn("difference", float, label="off by", unit=Unit.DIFFERENCE, shown=_LISTED),
        ResultColumn("departures", int, help="How many settings differ from the defaults: the fewer, the likelier."),
        ResultColumn("signature"),
    )

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

    def records(self) -> tuple[Candidate, ...]:
        """The candidates in order."""
        return self.candidates
