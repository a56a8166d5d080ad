"""Whether the probability that a segment has no error comes true, on language pairs that it was not fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.calibration.error_free import pooled_bins
from assay.charts import Chart, chart, find
from assay.charts.layout import AltairChart, compose, data, value_axis
from assay.charts.theme import colour
from assay.errors import UnknownNameError, nearest
from assay.labels.metrics import metric_label
from assay.results import ErrorFreeEvaluation, Result
from assay.types.note import plural

__all__ = ["ErrorFree"]

_HEIGHT = 300  # px

_Shown = tuple[ErrorFreeEvaluation, str]


@chart("error-free")
@dataclass(frozen=True, slots=True)
class ErrorFree(Chart[_Shown]):
    """The share of error-free ratings by the predicted probability, in tenths; on the line, predictions come true."""

    metric: str = ""
    """By default the first one."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        found = find(ErrorFreeEvaluation, results)
        names = [] if found is None else list(dict.fromkeys(each.metric for each in found if each.bins))
        if found is None or not names:
            return None
        if self.metric and self.metric not in names:
            raise UnknownNameError(f"no probabilities were fitted to '{self.metric}'", hint=nearest(self.metric, names))
        return found, self.metric or names[0]

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        evaluation, metric = shown
        rows = [each for each in evaluation if each.metric == metric and each.bins]
        points = [
            {"predicted": round(each.predicted, 4), "observed": round(each.observed, 4), "n": each.n}
            for each in pooled_bins(rows)
        ]
        x = alt.X("predicted:Q", **value_axis("predicted probability of no error", width, domain=[0, 1]))
        y = alt.Y("observed:Q", **value_axis("share of ratings without error", _HEIGHT, domain=[0, 1]))
        line = alt.Chart(data([{"predicted": 0.0, "observed": 0.0}, {"predicted": 1.0, "observed": 1.0}]))
        ideal = line.mark_line(strokeDash=[4, 3]).encode(x=x, y=y, color=alt.value(colour("muted")))
        base = alt.Chart(data(points)).encode(x=x, y=y, color=alt.value(colour("green")))
        ratings = sum(each.n for each in rows)
        pairs = plural(len(rows), "language pair")
        return compose(
            ideal,
            base.mark_line(),
            base.mark_circle(size=40).encode(tooltip=["predicted:Q", "observed:Q", "n:Q"]),
            title=f"Do probabilities by {metric_label(metric)} come true?",
            subtitle=f"{ratings:,} ratings of {pairs}, each predicted by the others. Dashed: predictions come true.",
            width=width,
            height=_HEIGHT,
        )
