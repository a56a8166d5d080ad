"""The metrics that can be computed, and one of them in detail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Shown
from assay.results.result import Listed, Result
from assay.types.record import Record, in_tree

__all__ = ["MetricDescription", "MetricList", "MetricSummary"]


@dataclass(frozen=True, slots=True)
class MetricSummary(Record):
    """One name of a metric. `spec` is what it stands for: itself, or another metric with options."""

    name: str = field(metadata=in_tree(key="metric"))
    spec: str
    summary: str
    needs: tuple[str, ...]
    higher_is_better: bool
    aggregation: str
    """The aggregation that is usually reported."""

    @property
    def better(self) -> str:
        """Which values are better."""
        return "higher" if self.higher_is_better else "lower"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricList(Listed[MetricSummary], Result):
    """All metrics by name."""

    holds = "metrics"

    metrics: tuple[MetricSummary, ...]

    made_by: ClassVar[str] = "metrics"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("metric", read="name", shown=Shown.FILE | Shown.TABLE),
        ResultColumn("spec", help="What the name stands for: itself, or another metric with options."),
        ResultColumn("summary", label="description", shown=Shown.FILE | Shown.TABLE),
        ResultColumn("needs", help="What a segment must have to be scored."),
        ResultColumn("better", read="better", shown=Shown.TABLE),
        ResultColumn("higher_is_better", bool),
        ResultColumn("aggregation", help="The aggregation that is usually reported."),
    )

    def __repr__(self) -> str:
        return f"MetricList({', '.join(metric.name for metric in self.metrics)})"

    def records(self) -> tuple[MetricSummary, ...]:
        """One per metric."""
        return self.metrics


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricDescription(Result):
    """A metric with its documentation, and the values of its options."""

    metric: MetricSummary = field(metadata=in_tree(inline=True))
    documentation: str
    options: Mapping[str, str]

    made_by: ClassVar[str] = "metrics"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("metric"),
        ResultColumn("option", shown=Shown.FILE | Shown.TABLE),
        ResultColumn("value", label="default", shown=Shown.FILE | Shown.TABLE),
    )

    def __repr__(self) -> str:
        return f"MetricDescription({self.metric.name}: {self.metric.summary})"

    def records(self) -> Iterator[dict[str, str]]:
        """One per option."""
        for option, value in self.options.items():
            yield {"metric": self.metric.name, "option": option, "value": value}
