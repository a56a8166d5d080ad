"""Metrics ranked by their agreement with people, with intervals and clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import altair as alt

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.intervals import COLUMN_GAP, cluster_lines, dots, reference_line, right_column
from assay.charts.layout import NARROW, AltairChart, Layer, Properties, Rows, compose, number, percent, tick_count
from assay.charts.statistic_label import agreement_label
from assay.results import Result
from assay.types.note import plural

__all__ = ["MetricRanking"]

_ROW = 20  # px
_NEAR_ZERO = 0.3


@chart("metric-ranking")
@dataclass(frozen=True, slots=True)
class MetricRanking(Chart[Evaluated]):
    """A dot and an interval for each metric, best first; dotted lines part the ranks of the tests between metrics."""

    statistic: str = ""
    lp: str = ""
    """Without a name: the first statistic, the average over language pairs."""
    outliers: str = ""
    """kept or dropped; if it is left out, as the table is ranked."""
    limit: int = 60
    """How many metrics to show, the best ones."""

    def select(self, results: Sequence[Result]) -> Evaluated | None:
        return select_evaluated(results, self.statistic, self.lp)

    def draw(self, shown: Evaluated, width: int) -> AltairChart:
        outliers = self.outliers or next(
            measure.outliers for measure in shown.meta.measures if measure.statistic == shown.statistic
        )
        rows = _rows(shown, outliers)
        left_out = max(len(rows) - self.limit, 0)
        rows = rows[: self.limit]
        x: Properties = {
            "title": agreement_label(shown.statistic),
            "scale": alt.Scale(zero=False, nice=False, padding=8),
            "axis": alt.Axis(tickCount=tick_count(width)),
        }
        starts = _starts(shown, outliers, [str(row["name"]) for row in rows])
        layers: list[Layer] = [cluster_lines(rows, starts), *dots(rows, x)]
        if min((float(row[key]) for row in rows for key in ("low", "value")), default=0.0) < _NEAR_ZERO:
            layers.insert(0, reference_line(x))
        if width >= NARROW:
            layers.append(right_column(rows, "text", COLUMN_GAP, role="ink")[0])
        return compose(
            *layers,
            title="Agreement of each metric with people",
            subtitle=_subtitle(shown, outliers, rows, left_out, has_clusters=bool(starts)),
            width=width,
            height=_ROW * len(rows),
        )


def _rows(shown: Evaluated, outliers: str) -> Rows:
    """The metrics with a value, best first; hollow where a metric has other systems than most."""
    rows: Rows = []
    systems = shown.systems(outliers)
    for metric in shown.meta.metrics:
        estimate = shown.value(metric, outliers)
        if estimate is None or math.isnan(estimate.value):
            continue
        agreement = shown.agreement(metric, outliers)
        own = systems if agreement is None else len(agreement.systems)
        is_apart = own != systems
        rows.append(
            {
                "name": metric.metric,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "role": "ink",
                "hollow": is_apart,
                "text": number(estimate.value, 2) + (f" ({own})" if is_apart else ""),
            }
        )
    return sorted(rows, key=lambda row: -float(row["value"]))


def _starts(shown: Evaluated, outliers: str, names: Sequence[str]) -> list[str]:
    """The metrics that begin a new rank of the tests between metrics."""
    pair = shown.pair
    test = shown.meta.test_of(None if pair is None else pair.lp, shown.measure(outliers))
    if test is None and (single := shown.single_pair) is not None:
        test = shown.meta.test_of(single.lp, shown.measure(outliers))
    if test is None:
        return []
    ranks = test.ranks
    tested = [name for name in names if name in ranks]
    return [second for first, second in pairwise(tested) if ranks[first] < ranks[second]]


def _subtitle(shown: Evaluated, outliers: str, rows: Rows, left_out: int, *, has_clusters: bool) -> str:
    parts = [shown.where]
    if systems := shown.systems(outliers):
        names = ", ".join(shown.outliers)
        parts.append(f"{systems} systems" + (f", without {names}" if outliers == "dropped" and names else ""))
    parts.append(plural(len(rows), "metric") + (f" of {len(rows) + left_out}" if left_out else ""))
    if any(not math.isnan(float(row["low"])) for row in rows):
        parts.append(f"{percent(float(shown.meta.settings.get('confidence', '0.95')))} intervals")
    apart = " Hollow: on fewer systems, their number in brackets." if any(row["hollow"] for row in rows) else ""
    clusters = f" A dotted line starts a new rank (p < {shown.meta.settings.get('alpha')})." if has_clusters else ""
    return f"{'; '.join(parts)}.{apart}{clusters}"
