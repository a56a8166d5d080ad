"""All pairs of systems: their differences above the diagonal, the p-values below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.compared_pair import leader
from assay.charts.intervals import label_width
from assay.charts.layout import MARGIN, AltairChart, compose, data
from assay.charts.theme import colour, colours
from assay.errors import printable
from assay.labels.metrics import score_label
from assay.labels.numbers import difference_text, p_text, true_minus
from assay.labels.tests import correction_words, significance_test_label
from assay.results import ComparedMetric, ComparedPair, Result, SystemComparison
from assay.types.note import plural

__all__ = ["PairwiseTests"]

_Shown = tuple[SystemComparison, ComparedMetric]
_MAX_CELL, _CELL_HEIGHT = 64, 26  # px
_MIN_CELL_WITH_TEXT = 36  # px


@chart("pairwise-tests")
@dataclass(frozen=True, slots=True)
class PairwiseTests(Chart[_Shown]):
    """A matrix, best system first. A coloured cell shows a difference, a grey one shows none."""

    metric: str = ""
    aggregation: str = ""
    """Each the first one if it is left out."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        comparison = find(SystemComparison, results)
        if comparison is None or not comparison.metrics:
            return None
        metric = comparison.metric(self.metric or comparison.metrics[0].metric, self.aggregation or None)
        systems = len(metric.scores)
        return (comparison, metric) if len(metric.pairs) == systems * (systems - 1) // 2 > 0 else None

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        comparison, metric = shown
        order = metric.best_first
        labels = {name: f"{place}  {printable(name)}" for place, name in enumerate(order, 1)}
        cells = list(_cells(metric, order, comparison.alpha))
        plot = width - label_width(labels.values()) - 2 * MARGIN
        cell = min(plot / len(order), _MAX_CELL)
        columns = [str(place) for place in range(1, len(order) + 1)]
        base = alt.Chart(data({**each, "name": labels[each["row"]]} for each in cells)).encode(
            x=alt.X(
                "column:N",
                scale=alt.Scale(domain=columns, range=[0, cell * len(order)]),
                axis=alt.Axis(orient="top", labelAngle=0, labelColor=colour("muted")),
                title=None,
            ),
            y=alt.Y("name:N", scale=alt.Scale(domain=list(labels.values())), title=None),
        )
        fill = alt.Color("role:N", scale=colours(), legend=None)
        strong = alt.condition("datum.role == 'band' || !datum.role", alt.value(1), alt.value(0.22))
        layers = [
            base.transform_filter("datum.role")
            .mark_rect(stroke=colour("paper"), strokeWidth=2)
            .encode(fill=fill, fillOpacity=strong)
        ]
        has_text = cell >= _MIN_CELL_WITH_TEXT
        texts = base.mark_text(fontSize=11).encode(
            text="text:N" if has_text else "sign:N", color=alt.Color("ink:N", scale=colours(), legend=None)
        )
        layers.append(texts)
        return compose(
            *layers,
            title="Which differences are more than chance?",
            subtitle=_subtitle(comparison, metric, has_text=has_text),
            width=width,
            height=_CELL_HEIGHT * len(order),
        )


def _cells(metric: ComparedMetric, order: Sequence[str], alpha: float) -> Iterator[dict[str, Any]]:
    decimals = metric.decimals
    places = {name: place for place, name in enumerate(order)}
    for pair in metric.pairs:
        above = pair if places[pair.first] < places[pair.second] else pair.reversed()
        row, column, role = above.first, above.second, _role(above)
        yield {
            "row": row,
            "column": str(places[column] + 1),
            "role": role,
            "text": true_minus(difference_text(above.difference.value, decimals)),
            "sign": {"first": "+", "second": "−"}.get(role, ""),
            "ink": "muted" if role == "band" else role,
        }
        yield {
            "row": column,
            "column": str(places[row] + 1),
            "role": "",
            "text": p_text(pair.p_corrected, alpha=alpha, is_bound=pair.is_bound),
            "sign": "",
            "ink": "muted",
        }


def _role(pair: ComparedPair) -> str:
    """`first`: the row is better; `second`: the column; `band`: no difference is shown."""
    return leader(pair) or "band"


def _subtitle(comparison: SystemComparison, metric: ComparedMetric, *, has_text: bool) -> str:
    settings = comparison.settings
    corrected = correction_words(comparison.correction, plural(len(metric.pairs), "pair"))
    n = plural(max(pair.n for pair in metric.pairs), settings["unit"])
    test = significance_test_label(metric.pairs[0].test)
    parts = [f"{score_label(metric.metric, metric.aggregation)}, {n}, test: {test}; p-values {corrected}."]
    if has_text:
        parts.append("Above the diagonal: row minus column; below: the p-value.")
    blue, orange = ("Blue", "orange") if has_text else ("Blue +", "orange −")
    parts.append(
        f"{blue}: the row is better (p < {settings['alpha']}); {orange}: the column; grey: no difference shown."
    )
    return " ".join(parts)
