"""Where corpus scores and means of segment scores order the systems differently."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.intervals import ROW
from assay.charts.layout import AltairChart, Properties, Rows, compose, data
from assay.charts.scores import metric_of
from assay.charts.theme import colours
from assay.labels.metrics import metric_label
from assay.labels.numbers import number, true_minus
from assay.results import MetricScores, Result, Run
from assay.results.order import best_first
from assay.types.note import plural
from assay.words.scores import order_words

__all__ = ["Aggregations"]

_Shown = tuple[Run, MetricScores]
_BESIDE: tuple[Properties, ...] = ({"align": "right", "dx": -10}, {"align": "left", "dx": 10})


@chart("aggregations")
@dataclass(frozen=True, slots=True)
class Aggregations(Chart[_Shown]):
    """Lines from each system's place by its corpus score to its place by its mean segment score."""

    metric: str = ""
    """The first one if it is left out."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        shown = metric_of(find(Run, results), self.metric)
        return None if shown is None or shown[1].disagreement is None else shown

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        run, metric = shown
        rows = _rows(metric)
        place: Properties = {
            "x": alt.X("side:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
            "y": alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[len(rows) // 2 - 0.5, -1.0], nice=False)),
        }
        role = alt.Color("role:N", scale=colours(), legend=None)
        base = alt.Chart(data(rows)).encode(color=role, **place)
        layers: list[alt.Chart] = [base.mark_line(strokeWidth=1.5).encode(detail="name:N"), base.mark_circle()]
        for side, title in enumerate(("corpus", "segment mean")):
            texts = [{**row, "role": "muted" if row["role"] == "faint" else row["role"]} for row in rows]
            texts = [row for row in texts if row["side"] == side]
            texts.append({"name": "", "text": title, "side": side, "place": -1, "role": "muted"})
            labels = alt.Chart(data(texts)).mark_text(**_BESIDE[side])
            layers.append(labels.encode(color=role, text="text:N", **place))
        return compose(
            *layers,
            title="Does the order depend on how scores are averaged?",
            subtitle=_subtitle(run, metric),
            width=width,
            height=ROW * (len(rows) // 2 + 1),
        )


def _rows(metric: MetricScores) -> Rows:
    digits = metric.decimals
    defined = [name for name in metric.corpus if not math.isnan(metric.corpus[name] + metric.segment_mean[name])]
    orders = (
        best_first({name: scores[name] for name in defined}, higher_is_better=metric.higher_is_better)
        for scores in (metric.corpus, metric.segment_mean)
    )
    places = [{name: place for place, name in enumerate(order)} for order in orders]
    return [
        {
            "name": name,
            "side": side,
            "place": places[side][name],
            "role": "faint" if places[0][name] == places[1][name] else "outlier",
            "text": f"{name}  {value}" if side == 0 else f"{value}  {name}",
        }
        for name in defined
        for side, scores in enumerate((metric.corpus, metric.segment_mean))
        for value in [true_minus(number(scores[name], digits))]
    ]


def _subtitle(run: Run, metric: MetricScores) -> str:
    disagreement = metric.disagreement
    if disagreement is None or not disagreement.pairs:
        return f"{metric_label(metric.spec)}, {plural(run.segments, 'segment')}."
    digits = metric.decimals
    most = f"differ by up to {number(disagreement.largest, digits)} points ({disagreement.system})"
    scored = f"{metric_label(metric.spec)}, {plural(run.segments, 'segment')}"
    if not (disagreement.largest or disagreement.flips):
        return f"{scored}. Corpus scores and segment means are the same."
    return f"{scored}. Corpus scores and segment means {order_words(disagreement)} and {most}."
