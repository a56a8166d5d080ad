"""Agreement with people with and without outlier systems, as dumbbells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.intervals import COLUMN_GAP, dots, reference_line, right_column
from assay.charts.layout import AltairChart, Properties, Rows, compose, signed, tick_count
from assay.charts.statistic_label import agreement_label
from assay.results import Result
from assay.types.note import plural

__all__ = ["OutlierEffect"]

_ROW = 20  # px


@chart("outlier-effect")
@dataclass(frozen=True, slots=True)
class OutlierEffect(Chart[Evaluated]):
    """Filled: without outliers; hollow: with them. The metric that changes least comes first."""

    statistic: str = ""
    lp: str = ""
    """Without a name: the first statistic, the average over language pairs."""
    limit: int = 60
    """How many metrics to show."""

    def select(self, results: Sequence[Result]) -> Evaluated | None:
        shown = select_evaluated(results, self.statistic, self.lp)
        return shown if shown is not None and _changes(shown) else None

    def draw(self, shown: Evaluated, width: int) -> AltairChart:
        changes = _changes(shown)
        rows = _rows(changes[: self.limit])
        x: Properties = {
            "title": agreement_label(shown.statistic),
            "scale": alt.Scale(zero=False, nice=False, padding=8),
            "axis": alt.Axis(tickCount=tick_count(width)),
        }
        texts = [row for row in rows if row["text"]]
        return compose(
            reference_line(x),
            *dots(rows, x),
            right_column(texts, "text", COLUMN_GAP, title="change")[0],
            title="Agreement with and without outlier systems",
            subtitle=_subtitle(shown, len(texts), len(changes)),
            width=width,
            height=_ROW * len(texts),
        )


def _changes(shown: Evaluated) -> list[tuple[str, float, float]]:
    """The name of each metric, its value with and without outliers; the smallest loss first. Empty without outliers."""
    found = []
    for metric in shown.meta.metrics:
        kept, dropped = (shown.value(metric, outliers) for outliers in ("kept", "dropped"))
        if kept is not None and dropped is not None and not math.isnan(kept.value + dropped.value):
            found.append((metric.metric, kept.value, dropped.value))
    if all(kept == dropped for _, kept, dropped in found):
        return []
    return sorted(found, key=lambda each: each[1] - each[2])


def _rows(changes: Sequence[tuple[str, float, float]]) -> Rows:
    rows: Rows = []
    for name, kept, dropped in changes:
        ends = {"low": min(kept, dropped), "high": max(kept, dropped)}
        nothing = {"low": math.nan, "high": math.nan}
        text = signed(dropped - kept, 2)
        rows.append({"name": name, "value": kept, "role": "outlier", "hollow": True, "text": "", **nothing})
        rows.insert(-1, {"name": name, "value": dropped, "role": "ink", "hollow": False, "text": text, **ends})
    return rows


def _subtitle(shown: Evaluated, metrics: int, every: int) -> str:
    parts = [shown.where]
    if systems := shown.systems("kept"):
        parts.append(f"{systems} systems, {shown.systems('dropped')} without {', '.join(shown.outliers)}")
    parts.append(plural(metrics, "metric") + (f" of {every}" if metrics < every else ""))
    return f"{'; '.join(parts)}. Filled: without outliers; hollow: with them. Least change first."
