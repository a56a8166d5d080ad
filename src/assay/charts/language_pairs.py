"""The agreement of two metrics with people on every language pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import altair as alt

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.intervals import COLUMN_GAP, dots, estimate_fields, right_column
from assay.charts.layout import NARROW, AltairChart, Layer, Rows, compose, value_axis
from assay.labels.metrics import metric_label
from assay.labels.numbers import difference_text, percent, true_minus
from assay.results import Estimate, EvaluatedMetric, Result
from assay.types.note import plural

__all__ = ["LanguagePairs"]

_ROW = 28  # px


@chart("language-pairs")
@dataclass(frozen=True, slots=True)
class LanguagePairs(Chart[Evaluated]):
    """A filled dot for the first metric and a hollow one for the second, with intervals; largest gain first."""

    metrics: str = ""
    """Two of them with a + between; if it is left out, the first two of the table."""
    statistic: str = ""

    def select(self, results: Sequence[Result]) -> Evaluated | None:
        shown = select_evaluated(results, self.statistic)
        if shown is None or len(shown.meta.metrics) < 2:
            return None
        names = self.metrics.split("+") if self.metrics else [row.metric for row in shown.meta.metrics[:2]]
        chosen = replace(shown.meta, metrics=tuple(shown.meta[name] for name in names[:2]))
        found = replace(shown, meta=chosen)
        return found if len(names) == 2 and _values(found) else None

    def draw(self, shown: Evaluated, width: int) -> AltairChart:
        first, second = (_label(row) for row in shown.meta.metrics)
        rows = _rows(shown)
        x = value_axis(f"{shown.statistic} with human scores", width, nice=False, padding=8)
        offset = alt.YOffset("metric:N", scale=alt.Scale(domain=[first, second], paddingOuter=0.6))
        layers: list[Layer] = [*dots(rows, x, yOffset=offset)]
        if width >= NARROW:
            changes = [row for row in rows if row["text"]]
            layers.append(right_column(changes, "text", COLUMN_GAP, title="difference")[0])
        pairs = len(rows) // 2
        has_intervals = any(not math.isnan(float(row["low"])) for row in rows)
        confidence = percent(float(shown.meta.settings.get("confidence", "0.95")))
        words = f"; {confidence} intervals" if has_intervals else ""
        return compose(
            *layers,
            title=f"Does {first} or {second} agree better with people?",
            subtitle=f"{plural(pairs, 'language pair')}{words}. Filled: {first}; hollow: {second}. Largest gain first.",
            width=width,
            height=_ROW * pairs,
        )


def _label(row: EvaluatedMetric) -> str:
    return metric_label(row.without_references or row.metric)


def _values(shown: Evaluated) -> dict[str, tuple[Estimate, Estimate]]:
    """By language pair: the values of the two metrics, the largest difference first."""
    outliers = next(each.outliers for each in shown.meta.measures if each.statistic == shown.statistic)
    found = {}
    for pair in shown.meta.language_pairs:
        one, other = (replace(shown, pair=pair).value(row, outliers) for row in shown.meta.metrics)
        if one is not None and other is not None and not math.isnan(one.value + other.value):
            found[pair.lp] = (one, other)
    return dict(sorted(found.items(), key=lambda item: item[1][1].value - item[1][0].value))


def _rows(shown: Evaluated) -> Rows:
    labels = [_label(row) for row in shown.meta.metrics]
    rows: Rows = []
    for lp, values in _values(shown).items():
        for place, (label, estimate) in enumerate(zip(labels, values, strict=True)):
            difference = true_minus(difference_text(values[0].value - values[1].value)) if place == 0 else ""
            style = {"role": "ink", "hollow": place == 1, "text": difference}
            rows.append({"name": lp, "metric": label, **estimate_fields(estimate), **style})
    return rows
