"""Which segments can be released unedited at a promised error rate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from assay.results.columns import ResultColumn, Unit
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types.record import Record

__all__ = ["FEW_JUDGEMENTS", "HeldOut", "JudgedPopulation", "PairErrors", "SystemErrors", "Triage", "TriagedSegment"]


FEW_JUDGEMENTS = 30
"""A rate of fewer judgements is not looked at."""


@dataclass(frozen=True, slots=True)
class HeldOut(Record):
    """Judgements that were not used, and what the threshold that the others give does there."""

    part: str
    """A language pair, or a part of the documents."""
    n: int
    """Ratings of outputs with a score."""
    threshold: float
    """NaN: with the others alone, no threshold keeps the promise."""
    released: int
    error_rate: Estimate
    """Of the ratings of what is released; the interval is two-sided."""


@dataclass(frozen=True, slots=True)
class SystemErrors(Record):
    """How many judgements of released segments of one system found an error."""

    system: str
    error_rate: Estimate
    """The interval is two-sided."""


@dataclass(frozen=True, slots=True)
class PairErrors(Record):
    """What the threshold of several language pairs together does in one of them, and the threshold of that one."""

    pair: str
    n: int
    """Ratings of outputs with a score."""
    error_rate: Estimate
    """Of the ratings of what is released; the interval is two-sided."""
    own_threshold: float
    """Of the pair by itself; NaN: none is shown to keep the promise there."""
    own_reason: str


@dataclass(frozen=True, slots=True)
class JudgedPopulation(Record):
    """What was judged: a promise holds for the like of it."""

    judgements: int
    """Of outputs that the metric scored."""
    protocol: str
    human: str
    """The name of the judgements."""
    campaigns: tuple[str, ...]
    pairs: tuple[str, ...]
    """Language pairs; with the campaign, where there are several."""
    systems: int
    """Of these judgements."""
    units: int
    unit: str
    """`document`; `segment` where the data name no documents."""
    lowest_score: float
    highest_score: float
    longest: int
    """The number of judged segments of the longest document; nothing is promised of longer ones."""


@dataclass(frozen=True, slots=True)
class TriagedSegment(Record):
    """A new segment, and whether it can be released."""

    system: str
    segment: int
    """From 1."""
    item: str
    score: float
    error_free: float
    """The probability that a rating finds no error; NaN outside of the scores that people judged."""
    decision: str
    """`release`, `edit`; `outside`: its score is beyond those that people judged; or `no score`."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Triage(Listed[TriagedSegment], Result):
    """The threshold from which on segments can be released unedited at a promised error rate, and what it rests on."""

    holds = "segments"

    settings: Mapping[str, str]
    metric: str
    promised: float
    confidence: float
    """Of the bound: how sure it is that no more segments than promised have errors."""
    threshold: float
    """NaN: none is shown to keep the promise."""
    reason: str
    """Why there is no threshold."""
    error_rate: Estimate
    """Of the judgements at and above the threshold. `high` is one-sided and allows for all thresholds tried."""
    found_by_any: Estimate
    """Of the outputs there with several judgements, the share in which at least one found an error."""
    best: Estimate
    """Without a threshold, that of the best-scored segments with the lowest bound."""
    released_share: float
    """Of the judgements."""
    base_rate: float
    """The share of judgements with errors, without any choice."""
    severity: str
    """The least severity of an error that counts."""
    min_score: float
    """A rating with a lower score finds an error; NaN: only marked errors count."""
    population: JudgedPopulation
    held_out: tuple[HeldOut, ...]
    holds_out_pairs: bool
    """Whether language pairs were held out in turn, or parts of the documents of a single one."""
    withheld: float = math.nan
    """The threshold of several language pairs together, if some of them break the promise, so that there is none."""
    pairs: tuple[PairErrors, ...] = ()
    """Of several language pairs, what happens in each; empty: there is a single one."""
    systems: tuple[SystemErrors, ...] = ()
    """The systems above the threshold, most errors first, those with few judgements last."""
    segments: tuple[TriagedSegment, ...] = ()
    """The new ones."""

    made_by: ClassVar[str] = "triage"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("system"),
        ResultColumn("segment", int, unit=Unit.ORDINAL),
        ResultColumn("item", optional=True),
        ResultColumn("score", float, unit=Unit.SCORE),
        ResultColumn("error_free", float, unit=Unit.RATE, help="The probability that a rating finds no error."),
        ResultColumn("decision", help="release, edit, outside (beyond the scores that people judged) or no score."),
    )

    def __repr__(self) -> str:
        found = "no threshold" if math.isnan(self.threshold) else f"score {self.threshold} and above"
        return f"Triage({self.metric}, at most {100 * self.promised:g} % with errors: {found})"

    def shown(self, rate: Estimate) -> Literal["kept", "broken", ""]:
        """What the interval of a rate shows of the promise."""
        return "broken" if rate.low > self.promised else "kept" if rate.high <= self.promised else ""

    def count(self, decision: str) -> int:
        """How many of the new segments have a decision."""
        return sum(each.decision == decision for each in self.segments)

    @property
    def released(self) -> tuple[TriagedSegment, ...]:
        """The new segments that can be released."""
        return tuple(each for each in self.segments if each.decision == "release")

    def records(self) -> Iterator[TriagedSegment]:
        """One for each new segment."""
        yield from self.segments
