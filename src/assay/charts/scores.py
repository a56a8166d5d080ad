"""Scores of systems with their intervals, under each aggregation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.intervals import COLUMN_GAP, dots, estimate_fields, right_column
from assay.charts.layout import NARROW, AltairChart, Layer, Rows, compose, value_axis
from assay.labels.metrics import dots_legend, metric_label
from assay.labels.numbers import number, percent, true_minus
from assay.results import MetricScores, Result, Run
from assay.types.note import plural

__all__ = ["ScoreChart", "metric_of"]


@chart("scores")
@dataclass(frozen=True, slots=True)
class ScoreChart(Chart[tuple[Run, MetricScores]]):
    """A filled dot for the corpus score, a hollow one for the mean of segment scores; best system first."""

    metric: str = ""
    """The first one if it is left out."""

    def select(self, results: Sequence[Result]) -> tuple[Run, MetricScores] | None:
        return metric_of(find(Run, results), self.metric)

    def draw(self, shown: tuple[Run, MetricScores], width: int) -> AltairChart:
        run, metric = shown
        better = "higher" if metric.higher_is_better else "lower"
        x = value_axis(f"{metric_label(metric.spec)}, {better} is better", width)
        rows = _rows(metric)
        layers: list[Layer] = [*dots(rows, x, yOffset=_offset(metric))]
        offset = float(COLUMN_GAP)
        for aggregation in metric.aggregations if width >= NARROW else ():
            texts = [row for row in rows if row["aggregation"] == aggregation]
            column, offset = right_column(texts, "text", offset, title=aggregation)
            layers.append(column)
        return compose(
            *layers,
            title=f"{metric_label(metric.spec)} of each system",
            subtitle=_subtitle(run, metric),
            width=width,
            height=28 * len(metric.headline),
        )


def metric_of(run: Run | None, spec: str) -> tuple[Run, MetricScores] | None:
    """A run and one of its metrics, the first one without a spec."""
    if run is None or not run.metrics:
        return None
    return run, run[spec or next(iter(run.metrics))]


def _rows(metric: MetricScores) -> Rows:
    return [
        {
            "name": system,
            "aggregation": aggregation,
            **estimate_fields(scores.estimates[system]),
            "role": "ink",
            "hollow": aggregation != "corpus",
            "text": true_minus(number(scores[system], metric.decimals)),
        }
        for system in metric.best_first
        for aggregation, scores in metric.aggregations.items()
    ]


def _offset(metric: MetricScores) -> alt.YOffset:
    """Dots of one system below each other."""
    scale = alt.Scale(domain=list(metric.aggregations), paddingOuter=0.8)
    return alt.YOffset("aggregation:N", scale=scale)


def _subtitle(run: Run, metric: MetricScores) -> str:
    parts = [plural(run.segments, "segment")]
    resampling = dict(metric.signature.resampling)
    if "confidence" in resampling:
        parts.append(f"{percent(float(resampling['confidence']))} intervals of each score alone")
    return ". ".join(filter(None, ("; ".join(parts), dots_legend(metric.aggregations)))) + "."
