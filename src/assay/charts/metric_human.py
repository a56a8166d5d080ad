"""Scores of systems by a metric against human scores, with outliers named."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from assay.charts import Chart, chart
from assay.charts.controls import choice, with_control
from assay.charts.evaluated import Evaluated, select_pair
from assay.charts.layout import AltairChart, Layer, Properties, Rows, compose, data, tick_count, wrapped
from assay.charts.theme import colour, colours
from assay.labels.metrics import distinct_labels
from assay.labels.numbers import agreement_text
from assay.labels.statistics import statistic_label
from assay.results import Agreement, EvaluatedMetric, LanguagePair, Result
from assay.types import FloatArray
from assay.types.note import plural

__all__ = ["MetricAgainstHuman"]

_HEIGHT, _LINE = 240, 16  # px
_BELOW = 35  # px from the plot to the name of the metric, below the axis
_CHOSEN = "datum.chosen == metric"
"""Of the rows of all metrics, those of the metric that is shown."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A metric with its scores beside the human ones."""

    label: str
    agreement: Agreement
    scores: FloatArray
    values: tuple[float, float]
    """The value with and without outliers; NaN: not computed."""


@dataclass(frozen=True, slots=True)
class _Shown:
    evaluated: Evaluated
    pair: LanguagePair
    chosen: _Scored
    every: tuple[_Scored, ...]
    """All metrics that can be chosen."""


@chart("metric-human")
@dataclass(frozen=True, slots=True)
class MetricAgainstHuman(Chart[_Shown]):
    """A dot for each system; a dashed line through all of them, and a full one through those that are not outliers."""

    metric: str = ""
    lp: str = ""
    statistic: str = ""
    """Without a name: the first metric, language pair and statistic."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        evaluated = select_pair(results, self.statistic, self.lp)
        if evaluated is None or evaluated.pair is None:
            return None
        wanted = evaluated.meta[self.metric] if self.metric else evaluated.meta.metrics[0]
        labels = distinct_labels(metric.metric for metric in evaluated.meta.metrics)
        found = (_scored(evaluated, metric, labels[metric.metric]) for metric in evaluated.meta.metrics)
        every = [scored for scored in found if scored is not None]
        chosen = next((scored for scored in every if scored.agreement.metric == wanted.metric), None)
        return None if chosen is None else _Shown(evaluated, evaluated.pair, chosen, tuple(every))

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        outliers = shown.pair.outliers.systems
        rows = [row for scored in shown.every for row in _rows(scored, outliers)]
        x = alt.X("metric:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=tick_count(width)))
        human = f"{shown.chosen.agreement.human} (human)"
        y = alt.Y("human:Q", title=human, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
        base = alt.Chart(data(rows)).transform_filter(_CHOSEN).encode(x=x, y=y)
        lines = alt.Chart(data(_lines_through(shown, outliers))).transform_filter(_CHOSEN).encode(x=x, y=y)
        layers: list[Layer] = [
            lines.transform_filter("datum.outliers").mark_line(strokeDash=[5, 4], color=colour("outlier")),
            lines.transform_filter("!datum.outliers").mark_line(color=colour("ink")),
            _points(base),
            *_names(base),
            *_words(shown, width),
        ]
        counts = sorted({len(scored.agreement.systems) for scored in shown.every})
        several = f"{counts[0]} to {counts[-1]} systems, by metric" if len(counts) > 1 else plural(counts[0], "system")
        composed = compose(
            *layers,
            title="Metric scores against human scores",
            subtitle=f"{shown.evaluated.where}; {several}. Hollow: outliers.",
            width=width,
            height=_HEIGHT,
        )
        names = [scored.label for scored in shown.every]
        return with_control(composed, choice("metric", "Metric", names, shown.chosen.label))


def _scored(evaluated: Evaluated, metric: EvaluatedMetric, label: str) -> _Scored | None:
    agreements = [evaluated.agreement(metric, outliers) for outliers in ("kept", "dropped")]
    scored = next((each for each in agreements if each is not None and each.scores is not None), None)
    if scored is None or scored.scores is None:
        return None
    kept, dropped = (math.nan if each is None else each.value for each in agreements)
    return _Scored(label, scored, scored.scores, (kept, dropped))


def _points(base: alt.Chart) -> alt.Chart:
    pointed = alt.selection_point("pointed", fields=["name"], on="pointerover", clear="pointerout", empty=False)
    stroke, fill = (alt.Color(f"{field}:N", scale=colours(), legend=None) for field in ("role", "fill"))
    points: alt.Chart = base.mark_point(filled=True, aria=True).encode(stroke=stroke, fill=fill, description="name:N")
    listening: alt.Chart = points.add_params(pointed)
    return listening


def _names(base: alt.Chart) -> list[alt.Chart]:
    """The outliers are named, and the system that a reader points at."""
    beside: Properties = {key: {"expr": f"datum.{key}"} for key in ("align", "dx")}
    outliers = base.transform_filter("datum.role == 'outlier'").mark_text(
        color=colour("outlier"), fontWeight="bold", dy=alt.expr("datum.dy"), **beside
    )
    pointed = base.transform_filter(alt.FieldEqualPredicate(field="role", equal="ink"))
    above = pointed.transform_filter({"param": "pointed", "empty": False}).mark_text(fontWeight="bold", dy=-9, **beside)
    return [outliers.encode(text="name:N"), above.encode(text="name:N")]


def _words(shown: _Shown, width: int) -> list[alt.Chart]:
    """The name of the metric as the title of the axis, and above the plot how well it agrees."""
    heads = {scored.label: wrapped(_head(shown, scored), 12, width - 80) for scored in shown.every}
    rows = [
        {"chosen": metric, "text": line, "y": -_LINE * (len(lines) - place) + 2}
        for metric, lines in heads.items()
        for place, line in enumerate(lines)
    ]
    head = alt.Chart(data(rows)).transform_filter(_CHOSEN).mark_text(align="left", baseline="top")
    title = alt.Chart(data({"chosen": metric} for metric in heads)).transform_filter(_CHOSEN)
    return [
        head.encode(x=alt.value(0), y=alt.Y("y:Q", scale=None, axis=None), text="text:N"),
        title.mark_text(color=colour("muted")).encode(
            x=alt.value(alt.expr("width / 2")), y=alt.value(_HEIGHT + _BELOW), text="chosen:N"
        ),
    ]


def _head(shown: _Shown, scored: _Scored) -> str:
    text = f"{scored.label}, {plural(len(scored.agreement.systems), 'system')}"
    kept, dropped = scored.values
    if math.isnan(kept):
        return text
    text += f": {statistic_label(shown.evaluated.statistic)} {agreement_text(kept)}"
    if math.isnan(dropped) or not set(shown.pair.outliers.systems) & set(scored.agreement.systems):
        return text
    return f"{text} (dashed), {agreement_text(dropped)} without the outliers (full line)"


def _rows(scored: _Scored, outliers: Collection[str]) -> Rows:
    """A row for each system."""
    metric = scored.label
    rows = [
        {"chosen": metric, "name": name, "metric": x, "human": y, "role": "outlier" if name in outliers else "ink"}
        for name, (x, y) in zip(scored.agreement.systems, scored.scores.tolist(), strict=True)
        if not math.isnan(x + y)
    ]
    for row in rows:
        row["fill"] = "paper" if row["role"] == "outlier" else "ink"
    return [{**row, **beside} for row, beside in _beside(rows)]


def _beside(rows: Rows) -> list[tuple[dict[str, Any], Properties]]:
    """Where the name of each system stands: inwards of its dot; those of outliers moved apart where they overlap."""
    x, y = ([row[key] for row in rows] for key in ("metric", "human"))
    size = (max(y, default=1.0) - min(y, default=0.0)) or 1.0
    placed: list[tuple[dict[str, Any], Properties]] = []
    last = -math.inf
    for row in sorted(rows, key=lambda row: -row["human"]):
        place = (max(y) - row["human"]) / size * _HEIGHT
        if row["role"] == "outlier":
            last = max(place, last + _LINE)
        is_right = row["metric"] > (min(x) + max(x)) / 2
        beside: Properties = {"align": "right", "dx": -9} if is_right else {"align": "left", "dx": 9}
        placed.append((row, {**beside, "dy": round(max(last - place, 0.0), 1)}))
    return placed


def _lines_through(shown: _Shown, outliers: Collection[str]) -> Rows:
    """The ends of the line through all systems of a metric, if some are outliers, and of the one without these."""
    rows: Rows = []
    for scored in shown.every:
        is_outlier = np.array([name in outliers for name in scored.agreement.systems])
        metric = {"chosen": scored.label}
        rows += [{**metric, "outliers": False, **end} for end in _line(scored.scores[~is_outlier])]
        if is_outlier.any():
            rows += [{**metric, "outliers": True, **end} for end in _line(scored.scores)]
    return rows


def _line(scores: FloatArray) -> Rows:
    """Both ends of the line with the least squared error."""
    defined = scores[~np.isnan(scores).any(axis=1)]
    if len(defined) < 2 or np.ptp(defined[:, 0]) == 0:
        return []
    slope, height = np.polyfit(defined[:, 0], defined[:, 1], 1)
    ends = (float(defined[:, 0].min()), float(defined[:, 0].max()))
    return [{"metric": x, "human": float(height + slope * x)} for x in ends]
