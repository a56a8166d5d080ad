"""Systems ranked by human judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay.errors import UnknownNameError, nearest
from assay.results.estimate import Estimate, none_if_nan
from assay.results.reliability import Reliability
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FloatArray, FrozenDict

__all__ = ["RankedSystem", "Ranking"]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's score, rank and cluster."""

    system: str
    score: Estimate
    rank: int
    rank_low: int | None
    """The best rank of the system's rank range, which holds the share `confidence` of the resamples; None without.

    With a preset, rank ranges come from the tests."""
    rank_high: int | None
    """The worst rank of the range."""
    cluster: int | None
    """None if it depends on pairs of systems that could not be tested."""
    fuzzy_rank: float
    """The mean rank of the systems that do not differ significantly from this one, including itself.

    NaN if a pair of this system could not be tested."""
    p_best: float
    """The share of resamples in which the system ranks first; NaN without resamples."""
    missing: int | None = None
    """The number of segments that other systems were judged on, but not this one; None for rankings of outputs."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ranking(Result):
    """Systems from best to worst."""

    name: str
    """Of the judgements."""
    settings: Mapping[str, str]
    """Everything that the ranking depends on besides the judgements."""
    systems: tuple[RankedSystem, ...]
    p_values: FloatArray
    """(system, system), best first: of "the row is better than the column" or, if two-sided, of "the row and the column
    differ"; NaN where undefined."""
    rank_shares: FloatArray
    """(system, rank): the share of resamples in which the system has the rank."""
    judgement_count: int
    """The number of judgements that were used."""
    judgement_kind: str = "scores"
    """What they are: ratings, scores, or comparisons of two outputs."""
    outputs: int = 0
    """The number of outputs that they judge: segments of systems."""
    higher_is_better: bool = True
    """False if the scores are penalties."""
    lp: str = ""
    """The language pair; empty if the judgements did not come from a campaign."""
    alternative: str = "better"
    """What the p-values are evidence for: the row is better than the column, or they differ (two-sided)."""
    by_domain: Mapping[str, Mapping[str, Estimate]] | None = None
    """The mean of each system in each domain, by domain and system, if requested."""
    opposed: tuple[tuple[str, str], ...] = ()
    """Pairs of systems of which some domains favour one and some the other, where two-sided p-values were combined."""
    reliability: Reliability | None = None
    """How well the raters agree, if requested."""
    origin: str = ""
    """The file of the judgements, if they came from one."""
    digest: str = ""
    """A digest of that file."""
    bounds: npt.NDArray[np.bool_] | None = None
    """(system, system): where no resample was as extreme, so that p is at most the value given; None: nowhere."""

    columns: ClassVar[Mapping[str, type]] = {
        "lp": str,
        "row": str,
        "rank": int,
        "system": str,
        **ESTIMATE_COLUMNS,
        "rank_low": int,
        "rank_high": int,
        "cluster": int,
        "fuzzy_rank": float,
        "p_best": float,
        "missing": int,
        "opposed": str,
        "domain": str,
        "measure": str,
        "n_unit": str,
        "first": str,
        "second": str,
        "p": float,
    }
    optional_columns = frozenset({"lp", "missing", "opposed", "domain", "measure", "n_unit", "first", "second", "p"})

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

    def __post_init__(self) -> None:
        if self.by_domain is not None:
            frozen = FrozenDict({domain: FrozenDict(means) for domain, means in self.by_domain.items()})
            object.__setattr__(self, "by_domain", frozen)

    @property
    def signature(self) -> str:
        """The settings in one line."""
        return settings_line(self.settings)

    def p_value(self, better: str, worse: str) -> float:
        """The p-value of "the first system is better than the second"; if two-sided, of "they differ"."""
        names = [ranked.system for ranked in self.systems]
        return float(self.p_values[names.index(self[better].system), names.index(self[worse].system)])

    def is_bound(self, better: str, worse: str) -> bool:
        """Whether `p_value` is only an upper bound: no resample was as extreme."""
        names = [ranked.system for ranked in self.systems]
        return self.bounds is not None and bool(self.bounds[names.index(better), names.index(worse)])

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per system, best first, then one per domain and system, and one per measure of reliability.

        The column `row` says which: system, domain or reliability; or pair, for those of `p_value_rows`.
        """
        reliability = self.reliability.rows() if self.reliability is not None else ()
        kinds = {"system": self._system_rows(), "domain": self._domain_rows(), "reliability": reliability}
        for kind, rows in kinds.items():
            for row in rows:
                yield self._row({"lp": self.lp or None, "row": kind, **row})

    def p_value_rows(self) -> Iterator[dict[str, Any]]:
        """One row per p-value: of "the first system is better than the second"; if two-sided, of "they differ".

        A two-sided p-value has one row, not two.
        """
        names = [ranked.system for ranked in self.systems]
        for i, j in (combinations if self.alternative == "two-sided" else permutations)(range(len(names)), 2):
            p = none_if_nan(float(self.p_values[i, j]))
            yield self._row({"lp": self.lp or None, "row": "pair", "first": names[i], "second": names[j], "p": p})

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
                "missing": ranked.missing,
                "opposed": ", ".join(self._opposed(ranked.system)) or None,
            }

    def _opposed(self, system: str) -> Iterator[str]:
        """The systems that some domains place above this one and others below it."""
        for pair in self.opposed:
            if system in pair:
                yield pair[pair[0] == system]

    def _domain_rows(self) -> Iterator[dict[str, Any]]:
        for domain, means in (self.by_domain or {}).items():
            for system, mean in means.items():
                yield {"domain": domain, "system": system, **mean.to_dict()}

    def tree(self) -> dict[str, Any]:
        """The systems in order, and the matrices of p-values and rank shares."""
        return {
            "lp": self.lp or None,
            "name": self.name,
            "origin": self.origin or None,
            "digest": self.digest or None,
            "settings": dict(self.settings),
            "judgement_kind": self.judgement_kind,
            "judgement_count": self.judgement_count,
            "outputs": self.outputs,
            "higher_is_better": self.higher_is_better,
            "alternative": self.alternative,
            "systems": list(self._system_rows()),
            "p_values": [[none_if_nan(p) for p in row] for row in self.p_values.tolist()],
            "bounds": None if self.bounds is None else self.bounds.tolist(),
            "rank_shares": [[none_if_nan(share) for share in row] for row in self.rank_shares.tolist()],
            "by_domain": None if self.by_domain is None else list(self._domain_rows()),
            "opposed": [list(pair) for pair in self.opposed],
            "reliability": None if self.reliability is None else self.reliability.tree(),
        }
