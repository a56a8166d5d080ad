"""The metrics that can be computed, and one of them in detail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.result import Result
from assay.types import FrozenDict

__all__ = ["MetricDescription", "MetricList", "MetricSummary"]


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One name of a metric. `spec` is what it stands for: itself, or another metric with options."""

    name: str
    spec: str
    summary: str
    needs: tuple[str, ...]
    higher_is_better: bool
    aggregation: str
    """The aggregation that is usually reported."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.name,
            "spec": self.spec,
            "summary": self.summary,
            "needs": list(self.needs),
            "higher_is_better": self.higher_is_better,
            "aggregation": self.aggregation,
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricList(Result):
    """All metrics by name."""

    metrics: tuple[MetricSummary, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "spec": str,
        "summary": str,
        "needs": str,
        "higher_is_better": bool,
        "aggregation": str,
    }

    def __iter__(self) -> Iterator[MetricSummary]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return f"MetricList({', '.join(metric.name for metric in self.metrics)})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per metric."""
        for metric in self.metrics:
            yield metric.to_dict() | {"needs": " ".join(metric.needs)}

    def tree(self) -> dict[str, Any]:
        """The metrics."""
        return {"metrics": [metric.to_dict() for metric in self.metrics]}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricDescription(Result):
    """A metric with its documentation, and the values of its options."""

    metric: MetricSummary
    documentation: str
    options: Mapping[str, str]

    columns: ClassVar[Mapping[str, type]] = {"metric": str, "option": str, "value": str}

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", FrozenDict(self.options))

    def __repr__(self) -> str:
        return f"MetricDescription({self.metric.name}: {self.metric.summary})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per option."""
        for option, value in self.options.items():
            yield {"metric": self.metric.name, "option": option, "value": value}

    def tree(self) -> dict[str, Any]:
        """The metric, its documentation and its options."""
        return self.metric.to_dict() | {"documentation": self.documentation, "options": dict(self.options)}
