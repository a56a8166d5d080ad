"""Agreement with people with and without outlier systems, as dumbbells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_evaluated
from assay.charts.intervals import COLUMN_GAP, dots, reference_line, right_column
from assay.charts.layout import AltairChart, Rows, compose, value_axis
from assay.labels.metrics import distinct_labels
from assay.labels.numbers import difference_text, true_minus
from assay.labels.statistics import agreement_label
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
        every = _changes(shown)
        changes = every[: self.limit]
        rows = _rows(changes)
        x = value_axis(agreement_label(shown.statistic), width, nice=False, padding=8)
        texts = [row for row in rows if row["text"]]
        return compose(
            reference_line(x),
            *dots(rows, x),
            right_column(texts, "text", COLUMN_GAP, title="change")[0],
            title="Agreement with and without outlier systems",
            subtitle=_subtitle(shown, changes, len(every)),
            width=width,
            height=_ROW * len(texts),
        )


@dataclass(frozen=True, slots=True)
class _Change:
    """A metric with and without outliers."""

    name: str
    kept: float
    dropped: float
    systems: int | None
    """How many it has (0: not counted, in an average), if these are fewer than most have; else None."""

    @property
    def is_apart(self) -> bool:
        """Whether it has fewer systems than most."""
        return self.systems is not None

    @property
    def label(self) -> str:
        """The name, with the number of systems in parentheses where it is another than that of most metrics."""
        return f"{self.name} ({self.systems})" if self.systems else self.name


def _changes(shown: Evaluated) -> list[_Change]:
    """The smallest loss first, and metrics on fewer systems last. Empty without outliers."""
    found = []
    labels, lacking = distinct_labels(metric.metric for metric in shown.meta.metrics), shown.lacking("kept")
    for metric in shown.meta.metrics:
        kept, dropped = (shown.value(metric, outliers) for outliers in ("kept", "dropped"))
        if kept is not None and dropped is not None and not math.isnan(kept.value + dropped.value):
            own = lacking.get(metric.metric)
            found.append(_Change(labels[metric.metric], kept.value, dropped.value, own))
    if all(each.kept == each.dropped for each in found):
        return []
    return sorted(found, key=lambda each: (each.is_apart, each.kept - each.dropped))


def _rows(changes: Sequence[_Change]) -> Rows:
    rows: Rows = []
    for each in changes:
        ends = {"low": min(each.kept, each.dropped), "high": max(each.kept, each.dropped)}
        nothing = {"low": math.nan, "high": math.nan}
        text = true_minus(difference_text(each.dropped - each.kept))
        role = "muted" if each.is_apart else "ink"
        rows.append({"name": each.label, "value": each.dropped, "role": role, "hollow": False, "text": text, **ends})
        rows.append({"name": each.label, "value": each.kept, "role": "outlier", "hollow": True, "text": "", **nothing})
    return rows


def _subtitle(shown: Evaluated, changes: Sequence[_Change], every: int) -> str:
    parts = [shown.where]
    if systems := shown.systems("kept"):
        parts.append(f"{plural(systems, 'system')}, {shown.systems('dropped')} without {', '.join(shown.outliers)}")
    parts.append(plural(len(changes), "metric") + (f" of {every}" if len(changes) < every else ""))
    text = f"{'; '.join(parts)}. Filled: without outliers; hollow: with them. Least change first."
    if any(each.is_apart for each in changes):
        text += " Grey, last: on fewer systems, their number in parentheses, so that other outliers are left out."
    return text
