"""Metrics in order: their ranks in the components, the average rank, and the weighted score."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import CONFIDENCE
from assay.lazily import numpy as np
from assay.metaeval.tasks.evaluation import ComponentValues
from assay.metaeval.tasks.significance import TaskTests
from assay.metaeval.tasks.weights import normalise_weights
from assay.results import Estimate, TaskComponent, TaskMetric, TaskTable
from assay.results.ties import shared_ranks
from assay.types import FloatArray

__all__ = ["Combination", "rank_metrics", "ranks_of"]


@dataclass(frozen=True, slots=True)
class Combination:
    """How components are combined: what orders the metrics, and what becomes of those that lack a component."""

    combine: str = "score"
    incomplete: str = "drop"
    split: tuple[str, ...] = ()
    confidence: float = CONFIDENCE

    def rescaled(self, values: FloatArray, component: TaskComponent) -> FloatArray:
        """From the range of the statistic to [0, 1] (WMT23), unless the mean of the values themselves is wanted."""
        if self.combine == "mean":
            return values
        return np.asarray((values - component.low) / (component.high - component.low))

    def is_complete(self, row: TaskMetric, counted: int) -> bool:
        """Whether the metric has what is combined, a rank or a value, in all components that count."""
        return (row.average_rank if self.combine == "rank" else row.score).n == counted


def rank_metrics(
    title: str,
    values: Sequence[ComponentValues],
    combination: Combination,
    *,
    metrics: Iterable[str] = (),
    tests: TaskTests | None = None,
) -> TaskTable:
    """The table of the metrics, best first; `metrics` names also those that may have no value at all.

    The rank of a metric in a component is its place among all metrics of the component or, if they were tested, its
    significance cluster; a metric that was not tested has none. Metrics on fewer systems than most come after the
    others, in a component and in the table, as in `assay.meta`: it must not pay to leave out a system.
    """
    components = normalise_weights([each.component for each in values], combination.split)
    columns = [replace(each, component=component) for each, component in zip(values, components, strict=True)]
    ranks = {column.component.label: _ranks(column, tests) for column in columns}
    names = sorted(set(metrics).union(*(column.estimates for column in columns)))
    rows = [_row(name, columns, ranks, combination) for name in names]
    counted = sum(component.weight > 0 for component in components)
    complete = [row for row in rows if combination.is_complete(row, counted)]
    others = sorted((row for row in rows if not combination.is_complete(row, counted)), key=_incomplete_key)
    is_dropped = combination.incomplete == "drop"
    table = TaskTable(
        title,
        components,
        (*_with_places(complete, combination), *(() if is_dropped else others)),
        {row.metric: counted - min(row.score.n, row.average_rank.n) for row in others} if is_dropped else {},
    )
    return table if tests is None else _with_clusters(table, columns, combination, tests)


def _with_clusters(
    table: TaskTable, columns: Sequence[ComponentValues], combination: Combination, tests: TaskTests
) -> TaskTable:
    """The clusters of the score, tested on the draws of all components together."""
    rescales = combination.combine != "mean"
    test = tests.of_score(table.components, [column.tested for column in columns], rescales=rescales)
    clusters = {} if test is None else test.ranks
    ranked = {row.metric for row in table.metrics if row.rank is not None}
    rows = (replace(row, cluster=clusters.get(row.metric) if row.metric in ranked else None) for row in table.metrics)
    return replace(table, metrics=tuple(rows), test=test)


def ranks_of(values: Mapping[str, float], last: Collection[str] = ()) -> dict[str, int]:
    """The ranks from 1, highest value first, those of `last` after the others; tied values share the best rank."""
    ordered = sorted(values, key=lambda name: (name in last, -values[name]))
    places = shared_ranks([values[name] for name in ordered], [name in last for name in ordered])
    return dict(zip(ordered, places, strict=True))


def _ranks(column: ComponentValues, tests: TaskTests | None) -> Mapping[str, int]:
    places = ranks_of({name: estimate.value for name, estimate in column.estimates.items()}, column.fewer_systems)
    if tests is None:
        return places
    if column.tested is None:
        return {}
    return tests.ranks(column.tested)


def _row(
    name: str,
    columns: Sequence[ComponentValues],
    ranks: Mapping[str, Mapping[str, int]],
    combination: Combination,
) -> TaskMetric:
    """One metric. What it has is averaged, with the weights in proportion."""
    present = [column for column in columns if name in column.estimates]
    counted = [column for column in present if column.component.weight > 0]
    weights = [column.component.weight for column in counted]
    own_ranks = {c.component.label: rank for c in present if (rank := ranks[c.component.label].get(name)) is not None}
    ranked = [column for column in counted if column.component.label in own_ranks]
    lacking = [c.component.label for c in columns if c.component.weight > 0 and name not in c.estimates]
    untested = [column.component.label for column in counted if column not in ranked]
    reasons = [f"{why} {', '.join(of)}" for why, of in (("no value for", lacking), ("not tested in", untested)) if of]
    average_rank = (
        _mean([float(own_ranks[column.component.label]) for column in counted], weights) if not reasons else math.nan
    )
    return TaskMetric(
        metric=name,
        rank=None,
        score=replace(_score(name, counted, weights, combination), reason=reasons[0] if lacking else None),
        average_rank=Estimate(average_rank, len(ranked), reason="; ".join(reasons) or None),
        values={column.component.label: column.estimates[name] for column in present},
        ranks=own_ranks,
        fewer_systems={c.component.label: c.fewer_systems[name] for c in counted if name in c.fewer_systems},
    )


def _score(
    name: str, counted: Sequence[ComponentValues], weights: Sequence[float], combination: Combination
) -> Estimate:
    """The weighted mean; its interval is that of the joint resamples, if every component has some."""
    values = [combination.rescaled(np.array(c.estimates[name].value), c.component) for c in counted]
    value = _mean([float(each) for each in values], weights)
    resampled = [combination.rescaled(c.replicates[name], c.component) for c in counted if name in c.replicates]
    if not counted or len(resampled) < len(counted):
        return Estimate(value, len(counted))
    replicates: FloatArray = np.average(np.stack(resampled), axis=0, weights=weights)
    return estimate_from_replicates(value, replicates, len(counted), combination.confidence)


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    if not values:
        return math.nan
    return math.fsum(w * x for w, x in zip(weights, values, strict=True)) / math.fsum(weights)


def _key(row: TaskMetric, combination: Combination) -> float:
    """Lower is better."""
    return row.average_rank.value if combination.combine == "rank" else -row.score.value


def _incomplete_key(row: TaskMetric) -> tuple[int, float, str]:
    return -row.score.n, -row.score.value if row.score.n else 0.0, row.metric


def _with_places(rows: Sequence[TaskMetric], combination: Combination) -> list[TaskMetric]:
    """Best first, in alphabetical order where values are equal; metrics on fewer systems than most at the end."""
    fewer = {row.metric for row in rows if row.fewer_systems}
    places = ranks_of({row.metric: -_key(row, combination) for row in rows}, fewer)
    ordered = sorted(rows, key=lambda row: (places[row.metric], row.metric))
    return [replace(row, rank=places[row.metric]) for row in ordered]
