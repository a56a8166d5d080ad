"""Systems ranked by human judgement, on one language pair or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.lazily import numpy as np
from assay.results.columns import ResultColumn, Unit, estimate_columns
from assay.results.estimate import Estimate
from assay.results.reliability import Reliability
from assay.results.result import Listed, Result
from assay.types import FloatArray
from assay.types.note import plural
from assay.types.record import Record, in_tree

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PairRankings", "RankedSystem", "Ranking"]


@dataclass(frozen=True, slots=True)
class RankedSystem(Record):
    """A system's score, rank and cluster."""

    system: str
    score: Estimate = field(metadata=in_tree(inline=True))
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
class Ranking(Listed[RankedSystem], Result):
    """Systems from best to worst."""

    holds = "systems"

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
    documents: int | None = None
    """How many documents were drawn and swapped; None: segments were."""
    higher_is_better: bool = True
    """False if the scores are penalties."""
    lp: str = ""
    """The language pair; empty if the judgements did not come from a campaign."""
    alternative: str = "better"
    """What the p-values are evidence for: the row is better than the column, or they differ (two-sided)."""
    by_domain: Mapping[str, Mapping[str, Estimate]] | None = None
    """The mean of each system in each domain, by domain and system, if requested."""
    opposed: tuple[tuple[str, str], ...] = ()
    """Pairs of systems where some domains favour one and some the other, where two-sided p-values were combined."""
    reliability: Reliability | None = None
    """How well the raters agree, if requested."""
    origin: str = ""
    """The file of the judgements, if they came from one."""
    digest: str = ""
    """A digest of that file."""
    bounds: npt.NDArray[np.bool_] | None = None
    """(system, system): where no resample was as extreme, so that p is at most the value given; None: nowhere."""

    made_by: ClassVar[str] = "rank"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("lp", optional=True),
        ResultColumn("row", help="What the row is of: a system, a domain, the reliability of raters, or a pair."),
        ResultColumn("rank", int, "ranked.rank", unit=Unit.ORDINAL),
        ResultColumn("system"),
        *estimate_columns("estimate"),
        ResultColumn("rank_low", int, "ranked.rank_low", unit=Unit.ORDINAL, help="The best rank of the range."),
        ResultColumn("rank_high", int, "ranked.rank_high", unit=Unit.ORDINAL, help="The worst rank of the range."),
        ResultColumn("cluster", int, "ranked.cluster", unit=Unit.ORDINAL),
        ResultColumn("fuzzy_rank", float, "ranked.fuzzy_rank", help="The mean rank of systems not shown to differ."),
        ResultColumn("p_best", float, "ranked.p_best", help="The share of resamples in which it ranks first."),
        ResultColumn(
            "missing",
            int,
            "ranked.missing",
            help="Segments judged for other systems, but not for this one.",
            optional=True,
        ),
        ResultColumn("opposed", help="Systems that some domains place above and some below.", optional=True),
        *(ResultColumn(name, optional=True) for name in ("domain", "measure", "n_unit", "first", "second")),
        ResultColumn("p", float, unit=Unit.P_VALUE, optional=True),
    )

    def __getitem__(self, system: str) -> RankedSystem:
        for ranked in self.systems:
            if ranked.system == system:
                return ranked
        raise UnknownNameError(f"'{system}' was not ranked", hint=nearest(system, [r.system for r in self.systems]))

    def __repr__(self) -> str:
        order = ", ".join(ranked.system for ranked in self.systems[:3])
        return f"Ranking({self.name} by {self.settings['method']}: {plural(len(self), 'system')}; {order}, …)"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return "", (self.lp or self.name,)

    @property
    def alpha(self) -> float:
        """The level of the tests; NaN without tests."""
        return float(self.settings.get("alpha", "nan"))

    def p_value(self, better: str, worse: str) -> float:
        """The p-value of "the first system is better than the second"; if two-sided, of "they differ"."""
        names = [ranked.system for ranked in self.systems]
        return float(self.p_values[names.index(self[better].system), names.index(self[worse].system)])

    def is_bound(self, better: str, worse: str) -> bool:
        """Whether `p_value` is only an upper bound: no resample was as extreme."""
        names = [ranked.system for ranked in self.systems]
        return self.bounds is not None and bool(self.bounds[names.index(better), names.index(worse)])

    def records(self) -> Iterator[dict[str, Any]]:
        """One per system, best first, then one per domain and system, and one per measure of reliability.

        The column `row` says which: system, domain or reliability; or pair, for those of `p_value_rows`.
        """
        for each in self.systems:
            opposed = ", ".join(self._opposed(each.system))
            found = {"system": each.system, "ranked": each, "estimate": each.score, "opposed": opposed}
            yield {"lp": self.lp, "row": "system", **found}
        for domain, means in (self.by_domain or {}).items():
            for system, mean in means.items():
                yield {"lp": self.lp, "row": "domain", "domain": domain, "system": system, "estimate": mean}
        for record in self.reliability.records() if self.reliability is not None else ():
            yield {"lp": self.lp, "row": "reliability", **record}

    def p_value_rows(self) -> Iterator[dict[str, Any]]:
        """One row per p-value: of "the first system is better than the second"; if two-sided, of "they differ".

        A two-sided p-value has one row, not two.
        """
        return self._rows(self.p_value_records())

    def p_value_records(self) -> Iterator[dict[str, Any]]:
        """What the rows of p-values are made of."""
        names = [ranked.system for ranked in self.systems]
        for i, j in (combinations if self.alternative == "two-sided" else permutations)(range(len(names)), 2):
            pair = {"first": names[i], "second": names[j], "p": float(self.p_values[i, j])}
            yield {"lp": self.lp, "row": "pair", **pair}

    def _opposed(self, system: str) -> Iterator[str]:
        """The systems that some domains place above this one and others below it."""
        for pair in self.opposed:
            if system in pair:
                yield pair[pair[0] == system]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairRankings(Listed[str], Result):
    """One ranking per language pair. The notes name the pairs without these judgements."""

    holds = "rankings"

    rankings: Mapping[str, Ranking]
    """By language pair."""

    made_by: ClassVar[str] = "rank"
    columns: ClassVar[tuple[ResultColumn, ...]] = Ranking.columns

    def __getitem__(self, lp: str) -> Ranking:
        if lp not in self.rankings:
            raise UnknownNameError(f"'{lp}' was not ranked", hint=nearest(lp, self.rankings))
        return self.rankings[lp]

    def __repr__(self) -> str:
        return f"PairRankings({', '.join(self.rankings)})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return "", tuple(self.rankings)

    @property
    def signature(self) -> str:
        """The signatures of the rankings, if they are all the same; else each with its language pair."""
        signatures = {lp: ranking.signature for lp, ranking in self.rankings.items()}
        if len(set(signatures.values())) == 1:
            return next(iter(signatures.values()))
        return "; ".join(f"{lp} {signature}" for lp, signature in signatures.items())

    def records(self) -> Iterator[dict[str, Any]]:
        """The records of each ranking, with the language pair."""
        for label, ranking in self.rankings.items():
            yield from ({**record, "lp": label} for record in ranking.records())

    def p_value_rows(self) -> Iterator[dict[str, Any]]:
        """The rows of the p-values of each ranking, with the language pair."""
        for label, ranking in self.rankings.items():
            yield from self._rows({**record, "lp": label} for record in ranking.p_value_records())
