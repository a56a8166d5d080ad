"""The result of a metrics task: metrics ranked over several component tasks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, Unit, estimate_columns
from assay.results.estimate import Estimate
from assay.results.meta import LanguagePair
from assay.results.metric_differences import MetricDifferences
from assay.results.result import Listed, Result
from assay.types import FrozenDict
from assay.types.note import plural
from assay.types.record import Record

__all__ = ["MetricsTask", "TaskComponent", "TaskMetric", "TaskTable"]


@dataclass(frozen=True, slots=True)
class TaskComponent(Record):
    """One value of every metric: a statistic at a level, on one language pair or over several."""

    label: str
    """What tells it apart from the other components of its table."""
    lps: tuple[str, ...]
    over_pairs: str
    """`each`: there is one language pair; `pooled` or `mean`: the average over `lps`."""
    level: str
    statistic: str
    grouping: str
    average: str
    """Over groups."""
    view: str
    """What metrics are compared with: scores, clusters or fuzzy-ranks."""
    domain: str | None
    """None: all segments."""
    human_outputs: bool
    """Whether human translations are among the systems."""
    weight: float
    """In the score and in the average rank; the weights of a table sum to 1. 0: shown, but not counted."""
    low: float
    high: float
    """The range of the statistic."""
    test: str | None = None
    """The test between metrics whose p-values the ranks follow from; None: metrics are ranked by their values."""
    null: str | None = None
    """The null hypothesis of the test, in words."""
    lps_missing: tuple[str, ...] = ()
    """Language pairs of the task that an average lacks."""

    def describe(self, attribute: str) -> str:
        """The value of an attribute, as the title of a column."""
        if attribute == "lp":
            return self.lps[0] if self.over_pairs == "each" else self._average_title
        if attribute == "domain":
            return self.domain or "all domains"
        if attribute == "human_outputs":
            return "with human outputs" if self.human_outputs else "without human outputs"
        if attribute == "grouping":
            return "system scores" if self.level == "system" else f"by {self.grouping}".replace("by none", "all cells")
        return str(getattr(self, attribute))

    @property
    def _average_title(self) -> str:
        """`pooled`; if language pairs are missing `pooled (zh-en)` or `pooled (2 of 3)`."""
        if not self.lps_missing:
            return self.over_pairs
        present = self.lps[0] if len(self.lps) == 1 else f"{len(self.lps)} of {len(self.lps) + len(self.lps_missing)}"
        return f"{self.over_pairs} ({present})"


@dataclass(frozen=True, slots=True)
class TaskMetric(Record):
    """A metric, its value and rank in each component, and what they combine to."""

    metric: str
    rank: int | None
    """Place in the table; metrics with equal values share it. None: it lacks what is combined of some component."""
    score: Estimate
    """The weighted mean of the values; `n` counts the components it has of those that count."""
    average_rank: Estimate
    """The weighted mean of the ranks; undefined if it has no rank in some component that counts."""
    values: Mapping[str, Estimate]
    """By the label of the component."""
    ranks: Mapping[str, int]
    """By the label of the component; equal values, or metrics that do not differ significantly, share a rank.

    A metric that was not tested where others were has none."""
    cluster: int | None = None
    """Metrics of a cluster do not differ significantly; None: they were not tested."""
    fewer_systems: Mapping[str, str] = field(default_factory=FrozenDict)
    """By the label of the component: on how many systems the metric rests, where most metrics rest on more."""


@dataclass(frozen=True, slots=True)
class TaskTable(Record):
    """A ranking of metrics over some components."""

    title: str
    components: tuple[TaskComponent, ...]
    metrics: tuple[TaskMetric, ...]
    """Best first; after them metrics on fewer systems than most, whatever their values; last, metrics that lack a
    component."""
    dropped: Mapping[str, int]
    """Metrics that were dropped because they lack components that count, and how many they lack."""
    test: MetricDifferences | None = None
    """The tests between metrics of the score, pooled over components; None: not tested."""

    def __getitem__(self, metric: str) -> TaskMetric:
        rows = {row.metric: row for row in self.metrics}
        if metric not in rows:
            raise UnknownNameError(f"'{metric}' is not in the table", hint=nearest(metric, rows))
        return rows[metric]

    def component(self, label: str) -> TaskComponent:
        """The component of a label."""
        components = {component.label: component for component in self.components}
        if label not in components:
            raise UnknownNameError(f"there is no component '{label}'", hint=nearest(label, components))
        return components[label]

    def average_ranks_by(self, attribute: str) -> dict[str, dict[str, float]]:
        """The average rank of each metric in the components that share a value of an attribute, by that value.

        The columns of the main table of WMT22, for a task with more components than a table can show.
        """
        parts: dict[str, list[TaskComponent]] = {}
        for component in self.components:
            if component.weight > 0:
                parts.setdefault(component.describe(attribute), []).append(component)
        return {
            value: {row.metric: _average_rank(row, components) for row in self.metrics}
            for value, components in parts.items()
        }


def _average_rank(row: TaskMetric, components: list[TaskComponent]) -> float:
    present = [component for component in components if component.label in row.ranks]
    if len(present) < len(components):
        return math.nan
    total = math.fsum(component.weight for component in present)
    return math.fsum(component.weight * row.ranks[component.label] for component in present) / total


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MetricsTask(Listed[TaskTable], Result):
    """Metrics ranked over the components of a task."""

    holds = "tables"

    task: str
    title: str
    sources: tuple[str, ...]
    settings: Mapping[str, str]
    combine: str
    """What orders the metrics: `rank`, the average rank; `score`, the mean of values rescaled to [0, 1]; `mean`."""
    split: tuple[str, ...]
    """Attributes whose values share the weight equally, one after the other."""
    language_pairs: tuple[LanguagePair, ...]
    tables: tuple[TaskTable, ...]
    missing: Mapping[str, str]
    """Components of the task that could not be computed, each with the reason."""
    incomplete: Mapping[str, str] = field(default_factory=FrozenDict)
    """Averages over fewer language pairs than the task has, each with what is missing and the reason."""

    made_by: ClassVar[str] = "meta"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("table", optional=True),
        ResultColumn("rank", int, "row.rank", unit=Unit.ORDINAL),
        ResultColumn("cluster", int, "row.cluster", unit=Unit.ORDINAL, optional=True),
        ResultColumn("metric", read="row.metric"),
        ResultColumn("component", read="label", help="A component of the task, the score, or the average rank."),
        ResultColumn("lp"),
        *(
            ResultColumn(name, read=f"component.{name}")
            for name in ("level", "statistic", "grouping", "average", "view")
        ),
        ResultColumn("domain", read="component.domain", optional=True),
        ResultColumn("human_outputs", bool, "component.human_outputs"),
        ResultColumn("weight", float, "component.weight"),
        ResultColumn("component_rank", int, "rank", unit=Unit.ORDINAL),
        *estimate_columns("estimate"),
    )

    def __getitem__(self, metric: str) -> TaskMetric:
        """The row of a metric, in the first table that has it."""
        rows = {row.metric: row for table in reversed(self.tables) for row in table.metrics}
        if metric not in rows:
            raise UnknownNameError(f"'{metric}' is not in the table", hint=nearest(metric, rows))
        return rows[metric]

    def __repr__(self) -> str:
        metrics = len({row.metric for table in self.tables for row in table.metrics})
        components = sum(len(table.components) for table in self.tables)
        best = ", ".join(row.metric for row in self.tables[0].metrics[:3]) if self.tables else ""
        return f"MetricsTask({self.task}: {plural(metrics, 'metric')} in {plural(components, 'component')}; {best}, …)"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return self.settings.get("data", ""), tuple(pair.lp for pair in self.language_pairs)

    def records(self) -> Iterator[dict[str, Any]]:
        """For each metric its score, its average rank, and its value in each component."""
        for table in self.tables:
            for row in table.metrics:
                start = {"table": table.title, "row": row}
                yield {**start, "label": "score", "estimate": row.score}
                yield {**start, "label": "average rank", "estimate": row.average_rank}
                for component in table.components:
                    if component.label in row.values:
                        found = {"label": component.label, "component": component, "lp": "+".join(component.lps)}
                        rank = row.ranks.get(component.label)
                        yield {**start, **found, "rank": rank, "estimate": row.values[component.label]}
