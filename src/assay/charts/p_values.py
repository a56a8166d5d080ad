"""Human p-values against differences of a metric, and the share of significant ones (Lo et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import numpy as np

from assay.calibration.isotonic import fit_isotonic
from assay.charts import chart
from assay.charts.layout import AltairChart, compose, data, layered, tick_count
from assay.charts.outcomes import LABELS, DecisionsChart, ShownDecisions, color, observed_pairs, shape
from assay.charts.theme import colour
from assay.labels.metrics import difference_label, metric_label
from assay.labels.tests import significance_test_label
from assay.results import Decisions, MetricDecisions
from assay.types import FloatArray
from assay.types.note import plural

__all__ = ["PValues"]

_FLOOR = 1e-4
_TICKS = [1e-4, 1e-3, 1e-2, 1e-1, 1]


@chart("p-values")
@dataclass(frozen=True, slots=True)
class PValues(DecisionsChart):
    """A point for each pair of systems; the line is the isotonic fit, on the axis at the right."""

    def draw(self, shown: ShownDecisions, width: int) -> AltairChart:
        decisions, decided = shown
        observed = observed_pairs(decided)
        pairs = np.zeros((0, 4)) if observed is None else observed[~np.isnan(observed[:, 2])]
        alpha = float(decisions.settings["alpha"])
        title = difference_label(decided.metric, decided.aggregation)
        x = alt.X("difference:Q", title=title, axis=alt.Axis(tickCount=tick_count(width)), scale=alt.Scale(nice=False))
        y = alt.Y(
            "p:Q",
            title="p-value by human judgement",
            scale=alt.Scale(type="log", domain=[_FLOOR, 1]),
            axis=alt.Axis(values=_TICKS, format="~g"),
        )
        points = alt.Chart(data(_rows(pairs))).mark_point(filled=True, size=22, opacity=0.55)
        level = alt.Chart(data([{"p": alpha}])).mark_rule(strokeDash=[4, 3], color=colour("muted")).encode(y=y)
        fit = alt.Chart(data(_fit(pairs, alpha))).mark_line(
            strokeWidth=2.5, color=colour("ink"), interpolate="step-after"
        )
        line = fit.encode(
            x=x,
            y=alt.Y(
                "probability:Q",
                title=f"share of pairs with p < {alpha:g} (line)",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(orient="right", format="%", values=[0, 0.25, 0.5, 0.75, 1], grid=False),
            ),
        )
        combined = layered(layered(points.encode(x=x, y=y, color=color(width), shape=shape()), level), line)
        return compose(
            combined.resolve_scale(y="independent"),
            title=f"When {metric_label(decided.metric)} sees a difference, do people?",
            subtitle=_subtitle(decisions, decided, len(pairs)),
            width=width,
            height=280,
        )


def _rows(pairs: FloatArray) -> list[dict[str, object]]:
    return [
        {"difference": difference, "p": max(p, _FLOOR), "outcome": LABELS[int(outcome)]}
        for difference, _, p, outcome in pairs.tolist()
    ]


def _fit(pairs: FloatArray, alpha: float) -> list[dict[str, float]]:
    """Where the isotonic step function rises, and its end."""
    if not len(pairs):
        return []
    fit = fit_isotonic(pairs[:, 0], (pairs[:, 2] < alpha).astype(np.float64))
    corners = np.ones(len(fit.x), dtype=np.bool_)
    corners[1:-1] = fit.y[1:-1] != fit.y[:-2]
    kept = zip(fit.x[corners].tolist(), fit.y[corners].tolist(), strict=True)
    return [{"difference": difference, "probability": probability} for difference, probability in kept]


def _subtitle(decisions: Decisions, decided: MetricDecisions, n: int) -> str:
    test = significance_test_label(decisions.settings.get("test", ""))
    return (
        f"{plural(n, 'pair')} of systems, {decided.protocol}. One-sided {test} test of the human scores: is the system "
        f"better that {metric_label(decided.metric)} prefers? Lower p-values are drawn at {_FLOOR:.4f}. Line: isotonic "
        "fit."
    )
