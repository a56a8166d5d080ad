"""Agreement with people over random subsets of the systems, with and without outliers (Mathur et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from assay.charts import Chart, chart, find, select_names
from assay.charts.boxes import grouped_boxes, grouped_height, quantiles
from assay.charts.intervals import reference_line
from assay.charts.layout import AltairChart, Rows, compose, value_axis
from assay.labels.metrics import distinct_labels
from assay.labels.statistics import agreement_label
from assay.results import Result, RobustnessSubsamples, SubsampledMetric, Subsamples
from assay.types.note import plural

__all__ = ["SubsampleDistributions"]

_ROLES = ("ink", "outlier", "gold", "green", "muted")


@chart("subsamples")
@dataclass(frozen=True, slots=True)
class SubsampleDistributions(Chart[RobustnessSubsamples]):
    """Boxes of the values over the subsets: without outliers, with each of them, and with all."""

    metrics: str = ""
    """The metrics to show, with + between them. Without: the best ones."""
    limit: int = 8

    def select(self, results: Sequence[Result]) -> RobustnessSubsamples | None:
        found = find(RobustnessSubsamples, results)
        return found if found is not None and self._metrics(found) else None

    def draw(self, shown: RobustnessSubsamples, width: int) -> AltairChart:
        metrics = self._metrics(shown)
        sets = list(dict.fromkeys(_label(each) for metric in metrics for each in metric.subsamples))
        labels = distinct_labels(metric.metric for metric in metrics)
        names = list(labels.values())
        x = value_axis(agreement_label(metrics[0].subsamples[0].statistic), width, nice=False, padding=6)
        roles = dict(zip(sets, cycle(_ROLES), strict=False))
        return compose(
            reference_line(x),
            *grouped_boxes(_rows(metrics, labels), names, roles, x),
            title="Agreement with people over random subsets of the systems",
            subtitle=_subtitle(shown, metrics),
            width=width,
            height=grouped_height(names, roles),
        )

    def _metrics(self, shown: RobustnessSubsamples) -> list[SubsampledMetric]:
        known = [metric.metric for metric in shown]
        wanted = select_names(self.metrics, known) if self.metrics else known
        defined = [
            metric
            for metric in shown
            if metric.metric in wanted and all(not np.isnan(each.values).all() for each in metric.subsamples)
        ]
        return defined if self.metrics else defined[: self.limit]


def _label(subsamples: Subsamples) -> str:
    return f"with {', '.join(subsamples.included)}" if subsamples.included else "without outliers"


def _rows(metrics: Sequence[SubsampledMetric], labels: Mapping[str, str]) -> Rows:
    return [
        {"name": labels[metric.metric], "group": _label(each), **quantiles(each.values)}
        for metric in metrics
        for each in metric.subsamples
    ]


def _subtitle(shown: RobustnessSubsamples, metrics: Sequence[SubsampledMetric]) -> str:
    one = metrics[0].subsamples[0]
    count = plural(len(metrics), "metric") + (f" of {len(shown)}" if len(metrics) < len(shown) else "")
    return (
        f"{shown.pair.lp}, {shown.pair.gold}; {plural(len(one.values), 'random subset')} of {one.size} of "
        f"{plural(len(shown.order), 'system')}; {count}. "
        "Box: the middle half, dot: the median, line: 95 % of the subsets."
    )
