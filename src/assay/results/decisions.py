"""Decisions by a metric between two systems, and how often they are wrong by human judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from assay.results.columns import ResultColumn, Shown, Unit
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result, data_and_pairs
from assay.types import FloatArray, IntArray
from assay.types.note import plural
from assay.types.record import OMITTED, Record, in_tree

__all__ = ["DecisionBin", "Decisions", "ErrorOverlap", "MetricDecisions", "RuleErrors", "RuleRecord", "Sides"]


@dataclass(frozen=True, slots=True)
class DecisionBin(Record):
    """Pairs of systems with a metric difference of some size, by what people say of the system that it prefers."""

    derived: ClassVar[tuple[str, ...]] = ("pairs",)

    label: str = field(metadata=in_tree(key="bin"))
    worse: int
    """Pairs in which people find it significantly worse."""
    undecided: int
    """Pairs in which people show no significant difference."""
    better: int
    quartiles: tuple[float, float, float]
    """Of the human differences of these pairs, in favour of the system that the metric prefers; NaN without pairs."""
    observed: FloatArray | None = field(default=None, compare=False, repr=False, metadata=OMITTED)
    """(pair, 4), for charts: the metric difference, the human difference in favour of the system that the metric
    prefers, the p-value of "people find it better", and the outcome (-1 worse, 0 undecided, 1 better)."""

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.worse + self.undecided + self.better


@dataclass(frozen=True, slots=True)
class RuleErrors(Record):
    """The errors of one rule for accepting the system that the metric prefers."""

    derived: ClassVar[tuple[str, ...]] = ("type_1_rate", "type_2_rate")

    rule: str
    threshold: float
    """The difference from which on the rule accepts; NaN: it accepts significant differences."""
    accepted: int
    accepted_undecided: int
    """Accepted, although people show no significant difference."""
    accepted_worse: int
    """Accepted, although people find the system significantly worse."""
    rejected: int
    rejected_different: int
    """Rejected, although people find the two systems significantly different."""

    @property
    def type_1(self) -> int:
        """Accepted although people do not find the system significantly better."""
        return self.accepted_undecided + self.accepted_worse

    @property
    def type_2(self) -> int:
        """Rejected although people find a significant difference."""
        return self.rejected_different

    @property
    def type_1_rate(self) -> float:
        """Of the accepted pairs; NaN if none is accepted."""
        return self.type_1 / self.accepted if self.accepted else float("nan")

    @property
    def type_2_rate(self) -> float:
        """Of the rejected pairs; NaN if none is rejected."""
        return self.type_2 / self.rejected if self.rejected else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class MetricDecisions(Record):
    """The decisions of one metric under one aggregation."""

    metric: str
    aggregation: str
    protocol: str
    """How people judged: human differences of two protocols have different scales."""
    pairs: int
    bins: tuple[DecisionBin, ...]
    rules: tuple[RuleErrors, ...] = field(metadata=OMITTED)
    """Accepting significant differences (if the metric's own test is known), then differences from each threshold."""
    type_1_bounds: Mapping[float, Estimate] = field(metadata=in_tree(entries="rate"))
    """By rate: the smallest threshold with no higher a rate of type I errors, NaN if there is none; `n`: accepted."""
    type_2_bounds: Mapping[float, Estimate] = field(metadata=in_tree(entries="rate"))
    """By rate: the largest threshold with no higher a rate of type II errors, NaN if there is none; `n`: rejected."""
    own_tests: tuple[str, ...] = ()
    """The test of the metric's own difference; of scores from files another one than of computed ones."""

    @property
    def name(self) -> str:
        """The metric and the aggregation."""
        return f"{self.metric} {self.aggregation}"


@dataclass(frozen=True, slots=True, eq=False)
class ErrorOverlap(Record):
    """Errors that metrics have in common, among the pairs that all of them decide."""

    metrics: tuple[str, ...]
    protocol: str
    shared: IntArray
    """(metric, metric): pairs that both get wrong; on the diagonal, the errors of each.

    Most errors are pairs in which people show no difference: a test of more judgements might confirm the metric."""
    reversals: IntArray
    """(metric, metric): the pairs among them that both accept although people find the system significantly worse."""
    pairs: int
    common: int
    """Pairs that all metrics get wrong."""
    any: int
    """Pairs that some metric gets wrong."""


@dataclass(frozen=True, slots=True)
class Sides(Record):
    """Two metrics that prefer different systems: whom people side with."""

    first: str
    second: str
    protocol: str
    disagreements: int
    with_first: int
    """Pairs in which people significantly prefer the system of the first metric."""
    with_second: int


class RuleRecord(NamedTuple):
    """A rule of a metric."""

    decided: MetricDecisions
    rule: RuleErrors


_LISTED = Shown.FILE | Shown.TABLE


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Decisions(Listed[MetricDecisions], Result):
    """How often decisions by metrics are wrong."""

    holds = "metrics"

    settings: Mapping[str, str]
    metrics: tuple[MetricDecisions, ...]
    overlaps: tuple[ErrorOverlap, ...]
    """For each protocol with two or more tested metrics."""
    sides: tuple[Sides, ...]

    made_by: ClassVar[str] = "decisions"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *(ResultColumn(name, read=f"decided.{name}") for name in ("metric", "aggregation", "protocol")),
        ResultColumn("rule", read="rule.rule", label="accept if", shown=_LISTED),
        ResultColumn("threshold", float, "rule.threshold", help="The smallest difference that the rule accepts."),
        ResultColumn("accepted", int, "rule.accepted", shown=_LISTED),
        ResultColumn(
            "type_1_rate", float, "rule.type_1_rate", label="type I", unit=Unit.RATE, direction="lower", shown=_LISTED
        ),
        ResultColumn("accepted_undecided", int, "rule.accepted_undecided", help="People show no difference."),
        ResultColumn("accepted_worse", int, "rule.accepted_worse", label="of them worse", shown=_LISTED),
        ResultColumn("rejected", int, "rule.rejected", shown=_LISTED),
        ResultColumn(
            "type_2_rate", float, "rule.type_2_rate", label="type II", unit=Unit.RATE, direction="lower", shown=_LISTED
        ),
        ResultColumn("rejected_different", int, "rule.rejected_different", help="People find them different."),
        ResultColumn("pairs", int, "decided.pairs"),
    )

    def __repr__(self) -> str:
        return f"Decisions({plural(len(self.metrics), 'metric')}; {self.signature})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return data_and_pairs(self.settings)

    def records(self) -> Iterator[RuleRecord]:
        """One for each rule of each metric."""
        return (RuleRecord(decided, rule) for decided in self.metrics for rule in decided.rules)
