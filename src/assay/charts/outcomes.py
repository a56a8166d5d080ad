"""Pairs of systems by what people say of the system that a metric prefers, which several charts show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import altair as alt
import numpy as np

from assay.charts import Chart, find
from assay.charts.layout import NARROW
from assay.charts.theme import colour
from assay.errors import ConfigError
from assay.results import Decisions, MetricDecisions, Result
from assay.types import FloatArray

__all__ = ["LABELS", "DecisionsChart", "ShownDecisions", "color", "observed_pairs", "select_decisions", "shape"]

LABELS = {1: "found better", 0: "no difference shown", -1: "found worse"}
_ROLES = ("green", "faint", "outlier")
_SHAPES = ("circle", "circle", "triangle-down")

ShownDecisions: TypeAlias = tuple[Decisions, MetricDecisions]


@dataclass(frozen=True, slots=True)
class DecisionsChart(Chart[ShownDecisions]):
    """A chart of the decisions of one metric."""

    metric: str = ""
    aggregation: str = ""
    protocol: str = ""
    """What is left out is that of the first metric."""

    def select(self, results: Sequence[Result]) -> ShownDecisions | None:
        """The decisions of the metric, if the pairs that they are about were kept."""
        return select_decisions(results, self.metric, self.aggregation, self.protocol)


def select_decisions(results: Sequence[Result], metric: str, aggregation: str, protocol: str) -> ShownDecisions | None:
    """The decisions of a metric, of the first one for what is left out; None without the pairs that they are about."""
    decisions = find(Decisions, results)
    if decisions is None or not decisions.metrics:
        return None
    for decided in decisions.metrics:
        found = (decided.metric, decided.aggregation, decided.protocol)
        if all(asked in ("", name) for asked, name in zip((metric, aggregation, protocol), found, strict=True)):
            return (decisions, decided) if observed_pairs(decided) is not None else None
    known = ", ".join(f"{each.metric} {each.aggregation} {each.protocol}" for each in decisions.metrics)
    wanted = " ".join(filter(None, (metric, aggregation, protocol)))
    raise ConfigError(f"there are no decisions by '{wanted}'", hint=f"available: {known}")


def observed_pairs(decided: MetricDecisions) -> FloatArray | None:
    """All pairs of systems, as in `DecisionBin.observed`; None if they were not kept."""
    found = [each.observed for each in decided.bins if each.observed is not None and each.observed.shape[1:] == (4,)]
    return np.concatenate(found) if found else None


def color(width: int) -> alt.Color:
    """The colour of the outcome, with a legend above the plot."""
    scale = alt.Scale(domain=list(LABELS.values()), range=[colour(role) for role in _ROLES])
    columns = len(LABELS) if width >= NARROW else 1
    return alt.Color("outcome:N", scale=scale, legend=alt.Legend(title=None, orient="top", columns=columns))


def shape() -> alt.Shape:
    """The shape of the outcome: colour is never alone."""
    return alt.Shape("outcome:N", scale=alt.Scale(domain=list(LABELS.values()), range=list(_SHAPES)))
