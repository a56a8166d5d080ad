"""Decisions by a metric between two systems, and how often they are wrong by human judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import Result, settings_line
from assay.types import FloatArray, FrozenDict, IntArray

__all__ = ["DecisionBin", "Decisions", "ErrorOverlap", "MetricDecisions", "RuleErrors", "Sides"]


@dataclass(frozen=True, slots=True)
class DecisionBin:
    """Pairs of systems with a metric difference of some size, by what people say of the system that it prefers."""

    label: str
    worse: int
    """Pairs in which people find it significantly worse."""
    undecided: int
    """Pairs in which people show no significant difference."""
    better: int
    quartiles: tuple[float, float, float]
    """Of the human differences of these pairs, in favour of the system that the metric prefers; NaN without pairs."""
    observed: FloatArray | None = field(default=None, compare=False, repr=False)
    """(pair, 4), for charts: the metric difference, the human difference in favour of the system that the metric
    prefers, the p-value of "people find it better", and the outcome (-1 worse, 0 undecided, 1 better)."""

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.worse + self.undecided + self.better

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "bin": self.label,
            "pairs": self.pairs,
            "worse": self.worse,
            "undecided": self.undecided,
            "better": self.better,
            "quartiles": [none_if_nan(value) for value in self.quartiles],
        }


@dataclass(frozen=True, slots=True)
class RuleErrors:
    """The errors of one rule for accepting the system that the metric prefers."""

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "rule": self.rule,
            "threshold": none_if_nan(self.threshold),
            "accepted": self.accepted,
            "accepted_undecided": self.accepted_undecided,
            "accepted_worse": self.accepted_worse,
            "rejected": self.rejected,
            "rejected_different": self.rejected_different,
            "type_1_rate": none_if_nan(self.type_1_rate),
            "type_2_rate": none_if_nan(self.type_2_rate),
        }


@dataclass(frozen=True, slots=True, eq=False)
class MetricDecisions:
    """The decisions of one metric under one aggregation."""

    metric: str
    aggregation: str
    protocol: str
    """How people judged: human differences of two protocols have different scales."""
    pairs: int
    bins: tuple[DecisionBin, ...]
    rules: tuple[RuleErrors, ...]
    """Accepting significant differences (if the metric's own test is known), then differences from each threshold."""
    type_1_bounds: Mapping[float, Estimate]
    """By rate: the smallest threshold with no higher a rate of type I errors, NaN if there is none; `n`: accepted."""
    type_2_bounds: Mapping[float, Estimate]
    """By rate: the largest threshold with no higher a rate of type II errors, NaN if there is none; `n`: rejected."""
    own_tests: tuple[str, ...] = ()
    """The test of the metric's own difference; of scores from files another one than of computed ones."""

    def __post_init__(self) -> None:
        for name in ("type_1_bounds", "type_2_bounds"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    @property
    def name(self) -> str:
        """The metric and the aggregation."""
        return f"{self.metric} {self.aggregation}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.metric,
            "aggregation": self.aggregation,
            "protocol": self.protocol,
            "pairs": self.pairs,
            "own_tests": list(self.own_tests),
            "bins": [each.to_dict() for each in self.bins],
            "rules": [each.to_dict() for each in self.rules],
            "type_1_bounds": _bounds(self.type_1_bounds),
            "type_2_bounds": _bounds(self.type_2_bounds),
        }


def _bounds(bounds: Mapping[float, Estimate]) -> list[dict[str, Any]]:
    """Plain values, ready for JSON."""
    return [
        {"rate": rate, "threshold": none_if_nan(bound.value), "n": bound.n, "reason": bound.reason}
        for rate, bound in bounds.items()
    ]


@dataclass(frozen=True, slots=True, eq=False)
class ErrorOverlap:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metrics": list(self.metrics),
            "protocol": self.protocol,
            "shared": self.shared.tolist(),
            "reversals": self.reversals.tolist(),
            "pairs": self.pairs,
            "common": self.common,
            "any": self.any,
        }


@dataclass(frozen=True, slots=True)
class Sides:
    """Two metrics that prefer different systems: whom people side with."""

    first: str
    second: str
    protocol: str
    disagreements: int
    with_first: int
    """Pairs in which people significantly prefer the system of the first metric."""
    with_second: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "protocol": self.protocol,
            "disagreements": self.disagreements,
            "with_first": self.with_first,
            "with_second": self.with_second,
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Decisions(Result):
    """How often decisions by metrics are wrong."""

    settings: Mapping[str, str]
    metrics: tuple[MetricDecisions, ...]
    overlaps: tuple[ErrorOverlap, ...]
    """For each protocol with two or more tested metrics."""
    sides: tuple[Sides, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "aggregation": str,
        "protocol": str,
        "rule": str,
        "threshold": float,
        "accepted": int,
        "accepted_undecided": int,
        "accepted_worse": int,
        "rejected": int,
        "rejected_different": int,
        "type_1_rate": float,
        "type_2_rate": float,
        "pairs": int,
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __iter__(self) -> Iterator[MetricDecisions]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return f"Decisions({len(self.metrics)} metrics; {self.signature})"

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each rule of each metric."""
        for decided in self.metrics:
            for rule in decided.rules:
                yield self._row(
                    {
                        "metric": decided.metric,
                        "aggregation": decided.aggregation,
                        "protocol": decided.protocol,
                        "pairs": decided.pairs,
                        **rule.to_dict(),
                    }
                )

    def tree(self) -> dict[str, Any]:
        """The settings, the decisions of each metric, and where metrics err together."""
        return {
            "settings": dict(self.settings),
            "metrics": [each.to_dict() for each in self.metrics],
            "overlaps": [each.to_dict() for each in self.overlaps],
            "sides": [each.to_dict() for each in self.sides],
        }
