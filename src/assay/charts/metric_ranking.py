"""Metrics ranked by their agreement with people, with intervals and clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.intervals import COLUMN_GAP, cluster_lines, dots, estimate_fields, reference_line, right_column
from assay.charts.layout import NARROW, AltairChart, Layer, Rows, compose, value_axis
from assay.labels.metrics import distinct_labels
from assay.labels.numbers import agreement_text, percent
from assay.labels.statistics import agreement_label
from assay.labels.tests import correction_words
from assay.results import MetricDifferences, Result
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
        x = value_axis(agreement_label(shown.statistic), width, nice=False, padding=8)
        tests = _tests(shown, outliers)
        starts = [] if tests is None else _starts(tests, rows)
        layers: list[Layer] = [cluster_lines(rows, starts), *dots(rows, x)]
        if min((float(row[key]) for row in rows for key in ("low", "value")), default=0.0) < _NEAR_ZERO:
            layers.insert(0, reference_line(x))
        if width >= NARROW:
            layers.append(right_column(rows, "text", COLUMN_GAP, role="ink")[0])
        return compose(
            *layers,
            title="Agreement of each metric with people",
            subtitle=_subtitle(shown, outliers, rows, left_out, tests),
            width=width,
            height=_ROW * len(rows),
        )


def _rows(shown: Evaluated, outliers: str) -> Rows:
    """The metrics with a value, best first; those with other systems than most come last, as in tables."""
    rows: Rows = []
    labels = distinct_labels(metric.metric for metric in shown.meta.metrics)
    lacking = shown.lacking(outliers)
    for metric in shown.meta.metrics:
        estimate = shown.value(metric, outliers)
        if estimate is None or math.isnan(estimate.value):
            continue
        is_apart, own = metric.metric in lacking, lacking.get(metric.metric)
        rows.append(
            {
                "name": labels[metric.metric],
                "metric": metric.metric,
                **estimate_fields(estimate),
                "role": "muted" if is_apart else "ink",
                "hollow": False,
                "apart": is_apart,
                "text": agreement_text(estimate.value) + (f" ({own})" if own else ""),
            }
        )
    return sorted(rows, key=lambda row: (bool(row["apart"]), -float(row["value"])))


def _tests(shown: Evaluated, outliers: str) -> MetricDifferences | None:
    """The tests between metrics."""
    pair = shown.pair
    test = shown.meta.test_of(None if pair is None else pair.lp, shown.measure(outliers))
    if test is None and (single := shown.single_pair) is not None:
        test = shown.meta.test_of(single.lp, shown.measure(outliers))
    return test


def _starts(tests: MetricDifferences, rows: Rows) -> list[str]:
    """The metrics that begin a new rank, and the first of those without one; no lines if others were not tested."""
    ranks = tests.ranks
    comparable = [row for row in rows if not row["apart"]]
    if any(row["metric"] not in ranks for row in comparable):
        return []
    found = [
        str(second["name"])
        for first, second in pairwise(comparable)
        if ranks[first["metric"]] < ranks[second["metric"]]
    ]
    return [*found, *(str(row["name"]) for row in rows[len(comparable) :][:1])]


def _subtitle(shown: Evaluated, outliers: str, rows: Rows, left_out: int, tests: MetricDifferences | None) -> str:
    parts = [shown.where]
    if systems := shown.systems(outliers):
        names = ", ".join(shown.outliers)
        parts.append(f"{plural(systems, 'system')}" + (f", without {names}" if outliers == "dropped" and names else ""))
    parts.append(plural(len(rows), "metric") + (f" of {len(rows) + left_out}" if left_out else ""))
    if any(not math.isnan(float(row["low"])) for row in rows):
        parts.append(f"{percent(float(shown.meta.settings.get('confidence', '0.95')))} intervals")
    text = f"{'; '.join(parts)}."
    if any(row["apart"] for row in rows):
        text += " Grey, last: on fewer systems, their number in parentheses; not to be compared with the others."
    if tests is not None and _starts(tests, rows):
        text += f" A dotted line starts a new rank (p < {tests.alpha:g}, {correction_words(tests.correction)})."
    elif tests is not None:
        tested = sum(row["metric"] in tests.ranks for row in rows)
        if all(row["apart"] or row["metric"] in tests.ranks for row in rows):
            level = f"p < {tests.alpha:g}, {correction_words(tests.correction)}"
            return f"{text} All tested metrics share rank 1 ({level})."
        text += f" {tested} of {plural(len(rows), 'metric')} could be tested against each other: no ranks are drawn."
    return text
