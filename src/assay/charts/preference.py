"""Whether probabilities of preferences come true on held-out judgements, and how often answers are right there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.layout import AltairChart, data, panel, stacked, value_axis
from assay.charts.theme import colour
from assay.labels.metrics import metric_label
from assay.results import PreferenceEvaluation, Preferences, Result

__all__ = ["PreferenceChart"]

_HEIGHT = 180  # px of a panel
_AXES = 70  # px beside a panel
_LEFT_OUT = {
    "campaign": "each campaign predicted by the others",
    "language pair": "each language pair predicted by the others",
    "part of the documents": "each part of the documents predicted by the others",
}


@chart("preference")
@dataclass(frozen=True, slots=True)
class PreferenceChart(Chart[Preferences]):
    """How often people preferred the output, by its predicted probability; and by the share of pairs with an answer."""

    def select(self, results: Sequence[Result]) -> Preferences | None:
        found = find(Preferences, results)
        return found if found is not None and any(each.curve for each in found.evaluations) else None

    def draw(self, shown: Preferences, width: int) -> AltairChart:
        evaluation = next(each for each in shown.evaluations if each.curve)
        metrics = " and ".join(map(metric_label, shown.metrics))
        inner = width - _AXES
        return stacked(
            _reliability(evaluation, inner),
            _coverage(evaluation, inner),
            title=f"Does {metrics} tell which output people prefer?",
            subtitle=f"{evaluation.n:,} pairs of outputs, {_LEFT_OUT[evaluation.by]}. Dashed: predictions that "
            "come true, and answers by chance.",
            width=width,
        )


def _reliability(evaluation: PreferenceEvaluation, width: int) -> alt.LayerChart:
    """How often people preferred the output, by its probability."""
    points = [
        {"predicted": round(each.predicted, 4), "preferred": round(each.observed, 4), "pairs": each.n}
        for each in evaluation.bins
    ]
    low = min([0.5, *(float(each["preferred"]) for each in points if each["preferred"] == each["preferred"])])
    x = alt.X("predicted:Q", **value_axis("predicted probability", width, domain=[0.5, 1]))
    y = alt.Y("preferred:Q", **value_axis("preferred by people", _HEIGHT, domain=[low, 1]))
    line = alt.Chart(data([{"predicted": 0.5, "preferred": 0.5}, {"predicted": 1.0, "preferred": 1.0}]))
    ideal = line.mark_line(strokeDash=[4, 3]).encode(x=x, y=y, color=alt.value(colour("muted")))
    base = alt.Chart(data(points)).encode(x=x, y=y, color=alt.value(colour("green")))
    circles = base.mark_circle(size=40).encode(tooltip=["predicted:Q", "preferred:Q", "pairs:Q"])
    return panel(ideal, base.mark_line(), circles, width=width, height=_HEIGHT)


def _coverage(evaluation: PreferenceEvaluation, width: int) -> alt.LayerChart:
    """How often answers were right, by the share of pairs with an answer."""
    points = [
        {
            "answered": round(each.coverage, 4),
            "right": round(each.accuracy.value, 4),
            "low": each.accuracy.low,
            "high": each.accuracy.high,
            "at least": each.at_least,
        }
        for each in evaluation.curve
    ]
    shown = [float(row[name]) for row in points for name in ("right", "low", "high") if row[name] == row[name]]
    x = alt.X("answered:Q", **value_axis("share of pairs with an answer", width, domain=[0, 1]))
    y = alt.Y(
        "right:Q", **value_axis("answers that are right", _HEIGHT, domain=[min([0.5, *shown]), max([0.8, *shown])])
    )
    line = alt.Chart(data([{"answered": 0.0, "right": 0.5}, {"answered": 1.0, "right": 0.5}]))
    chance = line.mark_line(strokeDash=[4, 3]).encode(x=x, y=y, color=alt.value(colour("muted")))
    base = alt.Chart(data(points)).encode(x=x, color=alt.value(colour("green")))
    band = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q"), y2="high:Q")
    circles = base.mark_circle(size=40).encode(y=y, tooltip=["at least:Q", "answered:Q", "right:Q"])
    return panel(chance, band, base.mark_line().encode(y=y), circles, width=width, height=_HEIGHT)
