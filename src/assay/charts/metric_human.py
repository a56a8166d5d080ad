"""Scores of systems by a metric against human scores, with outliers named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.layout import AltairChart, Layer, Properties, Rows, compose, data, number, tick_count
from assay.charts.theme import colour
from assay.results import Agreement, Result
from assay.types import FloatArray

__all__ = ["MetricAgainstHuman"]

_HEIGHT, _LINE = 240, 16  # px


@dataclass(frozen=True, slots=True)
class _Shown:
    evaluated: Evaluated
    agreement: Agreement
    scores: FloatArray
    outliers: tuple[str, ...]
    values: tuple[float, float]
    """The value with and without outliers; NaN: not computed."""


@chart("metric-human")
@dataclass(frozen=True, slots=True)
class MetricAgainstHuman(Chart[_Shown]):
    """A dot for each system; a dashed line through all of them, and a full one through those that are not outliers."""

    metric: str = ""
    lp: str = ""
    statistic: str = ""
    """Without a name: the first metric, language pair and statistic."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        first = select_evaluated(results)
        if first is None:
            return None
        lp = self.lp or first.meta.language_pairs[0].lp
        evaluated = select_evaluated(results, self.statistic, lp)
        if evaluated is None or evaluated.pair is None:
            return None
        metric = first.meta[self.metric] if self.metric else first.meta.metrics[0]
        agreements = [evaluated.agreement(metric, outliers) for outliers in ("kept", "dropped")]
        shown = next((each for each in agreements if each is not None and each.scores is not None), None)
        if shown is None or shown.scores is None:
            return None
        kept, dropped = (math.nan if each is None else each.value for each in agreements)
        outliers = tuple(name for name in evaluated.pair.outliers.systems if name in shown.systems)
        return _Shown(evaluated, shown, shown.scores, outliers, (kept, dropped))

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        metric, scores = shown.agreement.metric, shown.scores
        is_outlier = np.array([name in shown.outliers for name in shown.agreement.systems])
        human = f"{shown.agreement.human} (human)"
        x = alt.X("metric:Q", title=metric, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=tick_count(width)))
        y = alt.Y("human:Q", title=human, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
        rows = _rows(shown, is_outlier)
        base = alt.Chart(data(rows))
        layers: list[Layer] = []
        if shown.outliers:
            dashed = alt.Chart(data(_line(scores))).mark_line(strokeDash=[5, 4], color=colour("outlier"))
            layers.append(dashed.encode(x=x, y=y))
        layers += [
            alt.Chart(data(_line(scores[~is_outlier]))).mark_line(color=colour("ink")).encode(x=x, y=y),
            base.transform_filter("!datum.outlier")
            .mark_circle(color=colour("ink"), aria=True)
            .encode(x=x, y=y, description="name:N"),
            base.transform_filter("datum.outlier")
            .mark_point(filled=True, fill=colour("paper"), stroke=colour("outlier"), aria=True)
            .encode(x=x, y=y, description="name:N"),
            *(
                alt.Chart(data([row]))
                .mark_text(color=colour("outlier"), fontWeight="bold", **beside)
                .encode(x=x, y=y, text="name:N")
                for row, beside in _labels(rows)
            ),
        ]
        return compose(
            *layers, title=f"{metric} against people", subtitle=_subtitle(shown), width=width, height=_HEIGHT
        )


def _rows(shown: _Shown, is_outlier: Sequence[bool] | FloatArray) -> Rows:
    return [
        {"name": name, "metric": metric, "human": human, "outlier": bool(outlier)}
        for name, (metric, human), outlier in zip(
            shown.agreement.systems, shown.scores.tolist(), is_outlier, strict=True
        )
    ]


def _labels(rows: Rows) -> list[tuple[dict[str, Any], Properties]]:
    """The outliers, and where their names stand: inwards of the dot, and moved apart where they would overlap."""
    defined = [row for row in rows if not math.isnan(row["metric"] + row["human"])]
    outliers = sorted((row for row in defined if row["outlier"]), key=lambda row: -row["human"])
    x, y = ([row[key] for row in defined] for key in ("metric", "human"))
    size = (max(y, default=1.0) - min(y, default=0.0)) or 1.0
    placed: list[tuple[dict[str, Any], Properties]] = []
    last = -math.inf
    for row in outliers:
        place = (max(y) - row["human"]) / size * _HEIGHT
        last = max(place, last + _LINE)
        is_right = row["metric"] > (min(x) + max(x)) / 2
        beside: Properties = {"align": "right", "dx": -9} if is_right else {"align": "left", "dx": 9}
        placed.append((row, {**beside, "dy": last - place}))
    return placed


def _line(scores: FloatArray) -> Rows:
    """Both ends of the line with the least squared error."""
    defined = scores[~np.isnan(scores).any(axis=1)]
    if len(defined) < 2 or np.ptp(defined[:, 0]) == 0:
        return []
    slope, height = np.polyfit(defined[:, 0], defined[:, 1], 1)
    ends = (float(defined[:, 0].min()), float(defined[:, 0].max()))
    return [{"metric": x, "human": float(height + slope * x)} for x in ends]


def _subtitle(shown: _Shown) -> str:
    statistic = shown.evaluated.statistic
    text = f"{shown.evaluated.where}; {len(shown.agreement.systems)} systems."
    with_outliers, without = shown.values
    if not math.isnan(with_outliers):
        text += f" {statistic} {number(with_outliers, 2)}"
        if shown.outliers and not math.isnan(without):
            text += f" (dashed), without the outliers {number(without, 2)} (full line)"
        text += "."
    return text
