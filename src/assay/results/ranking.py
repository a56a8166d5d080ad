"""Systems in order of what people said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import UnknownNameError, nearest
from assay.results.scores import SCHEMA_VERSION, Estimate, html_table, none_if_nan
from assay.types import FloatArray

__all__ = ["RankedSystem", "Ranking"]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's score and what is known of its place."""

    system: str
    score: Estimate
    rank: int
    rank_low: int
    """The best and, below, the worst rank it has in the share of draws that `confidence` says."""
    rank_high: int
    cluster: int
    fuzzy_rank: float
    """The mean rank of the systems that it does not significantly differ from, itself among them."""
    first: float
    """The share of draws in which it is first."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ranking:
    """Systems from best to worst."""

    name: str
    settings: Mapping[str, str]
    """Everything the ranking depends on besides the judgements."""
    systems: tuple[RankedSystem, ...]
    p_values: FloatArray
    """(system, system) in order: of "the row is better than the column"; NaN where undefined."""
    rank_shares: FloatArray
    """(system, rank): in which share of draws the system has the rank."""
    judgements: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, system: str) -> RankedSystem:
        for ranked in self.systems:
            if ranked.system == system:
                return ranked
        raise UnknownNameError(f"'{system}' was not ranked", hint=nearest(system, [r.system for r in self.systems]))

    def __iter__(self) -> Iterator[RankedSystem]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def __repr__(self) -> str:
        order = ", ".join(ranked.system for ranked in self.systems[:3])
        return f"Ranking({self.name} by {self.settings['method']}: {len(self)} systems; {order}, …)"

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return "|".join(f"{key}:{value}" for key, value in self.settings.items())

    def p_value(self, better: str, worse: str) -> float:
        """Of "the first is better than the second"."""
        names = [ranked.system for ranked in self.systems]
        return float(self.p_values[names.index(self[better].system), names.index(self[worse].system)])

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a system, best first; NaN is None."""
        for ranked in self.systems:
            yield {
                "rank": ranked.rank,
                "system": ranked.system,
                **ranked.score.to_dict(),
                "rank_low": ranked.rank_low,
                "rank_high": ranked.rank_high,
                "cluster": ranked.cluster,
                "fuzzy_rank": none_if_nan(ranked.fuzzy_rank),
                "first": none_if_nan(ranked.first),
            }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "name": self.name,
            "settings": dict(self.settings),
            "judgements": self.judgements,
            "systems": list(self.rows()),
            "p_values": [[none_if_nan(p) for p in row] for row in self.p_values.tolist()],
            "rank_shares": [[none_if_nan(share) for share in row] for row in self.rank_shares.tolist()],
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        shown = ("rank", "system", "value", "low", "high", "n", "rank_low", "rank_high", "cluster")
        return html_table(shown, [["" if row[name] is None else row[name] for name in shown] for row in self.rows()])
