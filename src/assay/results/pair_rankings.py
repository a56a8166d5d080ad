"""Rankings of several language pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn
from assay.results.ranking import Ranking
from assay.results.result import Result
from assay.types import FrozenDict

__all__ = ["PairRankings"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairRankings(Result):
    """One ranking per language pair. The notes name the pairs without these judgements."""

    rankings: Mapping[str, Ranking]
    """By language pair."""

    columns: ClassVar[tuple[ResultColumn, ...]] = Ranking.columns

    def __post_init__(self) -> None:
        object.__setattr__(self, "rankings", FrozenDict(self.rankings))

    def __getitem__(self, lp: str) -> Ranking:
        if lp not in self.rankings:
            raise UnknownNameError(f"'{lp}' was not ranked", hint=nearest(lp, self.rankings))
        return self.rankings[lp]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def __repr__(self) -> str:
        return f"PairRankings({', '.join(self.rankings)})"

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
