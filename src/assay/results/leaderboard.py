"""Systems by rank under each metric, on one language pair or several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Unit, estimate_columns, text_columns
from assay.results.estimate import Estimate, decimals_for
from assay.results.result import Result
from assay.types.note import plural
from assay.types.record import OMITTED, Record

__all__ = ["Leaderboard", "OverallStanding", "Standing"]


@dataclass(frozen=True, slots=True)
class Standing(Record):
    """A system under one metric on one language pair."""

    lp: str
    metric: str
    aggregation: str
    system: str
    score: Estimate
    rank: int | None
    """One more than the number of systems that score better; None if the score is undefined."""
    rank_range: tuple[int, int]
    """The best and the worst rank in bootstrap resamples, without their tails."""
    cluster: int
    """A new cluster starts where every system above is shown to differ from every system below."""


@dataclass(frozen=True, slots=True)
class OverallStanding(Record):
    """A system under one metric over all language pairs of the leaderboard."""

    metric: str
    aggregation: str
    system: str
    score: Estimate
    """The mean over the language pairs; undefined if the system is not scored on all of them. `n` counts those."""
    rank: int | None
    """By the mean."""
    wins: int
    """On how many language pairs no system scores better."""
    top_clusters: int
    """On how many language pairs it is in the first of several clusters."""

    lp: ClassVar[str] = ""
    rank_range: ClassVar[None] = None
    cluster: ClassVar[None] = None


def _overall_count(name: str, text: str) -> ResultColumn:
    return ResultColumn(name, int, lambda each: getattr(each, name, None), unit=Unit.COUNT, help=text, optional=True)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Leaderboard(Result):
    """Systems ranked by each metric, with intervals and clusters; over several language pairs also by their means."""

    settings: Mapping[str, str]
    lower_is_better: tuple[str, ...]
    """The metrics of which lower scores are better."""
    signatures: Mapping[str, tuple[str, ...]]
    """By metric, those of its scores: of every aggregation and language pair, each once."""
    standings: tuple[Standing, ...] = field(metadata=OMITTED)
    """By metric, aggregation and language pair, the best system first."""
    overall: tuple[OverallStanding, ...] = field(default=(), metadata=OMITTED)
    """By metric and aggregation, the best system first; none for a single language pair."""

    made_by: ClassVar[str] = "leaderboard"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("metric", "aggregation")),
        ResultColumn("lp", help="The language pair; empty for the mean over all."),
        ResultColumn("rank", int, unit=Unit.ORDINAL),
        ResultColumn("system"),
        ResultColumn("cluster", int, unit=Unit.ORDINAL),
        *estimate_columns("score", names=("value", "low", "high", "standard_error", "n", "reason")),
        ResultColumn("rank_low", int, lambda each: each.rank_range and each.rank_range[0], unit=Unit.ORDINAL),
        ResultColumn("rank_high", int, lambda each: each.rank_range and each.rank_range[1], unit=Unit.ORDINAL),
        _overall_count("wins", "On how many language pairs no system scores better."),
        _overall_count("top_clusters", "On how many language pairs it is in the first of several clusters."),
    )

    def __repr__(self) -> str:
        systems = plural(len({each.system for each in self.standings}), "system")
        return f"Leaderboard({systems}; {', '.join(self.metrics)}; {', '.join(self.lps) or 'no lp'})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return "", tuple(filter(None, self.lps))

    @property
    def lps(self) -> tuple[str, ...]:
        """The language pairs, in the order in which they were given."""
        return tuple(dict.fromkeys(each.lp for each in self.standings))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics."""
        return tuple(dict.fromkeys(each.metric for each in self.standings))

    @property
    def scores(self) -> tuple[tuple[str, str], ...]:
        """The metrics with their aggregations, each of which ranks the systems."""
        return tuple(dict.fromkeys((each.metric, each.aggregation) for each in self.standings))

    def decimals(self, metric: str, aggregation: str, lp: str | None = None) -> int:
        """How many decimals of scores are worth showing, on a language pair or over all of them."""
        key = (metric, aggregation)
        values = (
            each.score.value
            for each in self.standings
            if (each.metric, each.aggregation) == key and lp in (None, each.lp)
        )
        return decimals_for(values, self.signatures[metric][0])

    def ranked(self, metric: str, aggregation: str, lp: str) -> dict[str, Standing]:
        """The systems of a language pair by a score, best first."""
        key = (metric, aggregation, lp)
        return {each.system: each for each in self.standings if (each.metric, each.aggregation, each.lp) == key}

    @property
    def nothing_computed(self) -> str:
        """That no system has a score; empty if one has."""
        if any(not math.isnan(each.score.value) for each in self.standings):
            return ""
        return "nothing was scored: no system has a score"

    def records(self) -> Iterator[Standing | OverallStanding]:
        """The standings on each language pair, then those over all of them."""
        yield from self.standings
        yield from self.overall
