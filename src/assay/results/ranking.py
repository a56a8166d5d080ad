"""Systems ranked by human judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.estimate import Estimate, none_if_nan
from assay.results.reliability import Reliability
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FloatArray

__all__ = ["RankedSystem", "Ranking"]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's score, rank and cluster."""

    system: str
    score: Estimate
    rank: int
    rank_low: int
    """The best rank of the system's rank range, which holds the share `confidence` of the resamples."""
    rank_high: int
    """The worst rank of the range."""
    cluster: int
    fuzzy_rank: float
    """The mean rank of the systems that do not differ significantly from this one, including itself."""
    p_best: float
    """The share of resamples in which the system ranks first; NaN without resamples."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ranking(Result):
    """Systems from best to worst."""

    name: str
    """Of the judgements."""
    settings: Mapping[str, str]
    """Everything that the ranking depends on besides the judgements."""
    systems: tuple[RankedSystem, ...]
    p_values: FloatArray
    """(system, system), best first: the p-value of "the row is better than the column"; NaN where undefined."""
    rank_shares: FloatArray
    """(system, rank): the share of resamples in which the system has the rank."""
    judgements: int
    agreement: Reliability | None = None
    """How far the people agree, if requested."""

    columns: ClassVar[Mapping[str, type]] = {
        "rank": int,
        "system": str,
        **ESTIMATE_COLUMNS,
        "rank_low": int,
        "rank_high": int,
        "cluster": int,
        "fuzzy_rank": float,
        "p_best": float,
        "measure": str,
    }

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
        """The settings in one line."""
        return settings_line(self.settings)

    def p_value(self, better: str, worse: str) -> float:
        """The p-value of "the first system is better than the second"."""
        names = [ranked.system for ranked in self.systems]
        return float(self.p_values[names.index(self[better].system), names.index(self[worse].system)])

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per system, best first, then one per measure of agreement."""
        for row in (*self._system_rows(), *(self.agreement.rows() if self.agreement is not None else ())):
            yield self._row(row)

    def _system_rows(self) -> Iterator[dict[str, Any]]:
        for ranked in self.systems:
            yield {
                "rank": ranked.rank,
                "system": ranked.system,
                **ranked.score.to_dict(),
                "rank_low": ranked.rank_low,
                "rank_high": ranked.rank_high,
                "cluster": ranked.cluster,
                "fuzzy_rank": none_if_nan(ranked.fuzzy_rank),
                "p_best": none_if_nan(ranked.p_best),
            }

    def tree(self) -> dict[str, Any]:
        """The systems in order, and the matrices of p-values and rank shares."""
        return {
            "name": self.name,
            "settings": dict(self.settings),
            "judgements": self.judgements,
            "systems": list(self._system_rows()),
            "p_values": [[none_if_nan(p) for p in row] for row in self.p_values.tolist()],
            "rank_shares": [[none_if_nan(share) for share in row] for row in self.rank_shares.tolist()],
            "agreement": None if self.agreement is None else list(self.agreement.rows()),
        }
