"""Resampled agreement of metrics with people, as box plots (Cavalin et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.charts import Chart, chart
from assay.charts.boxes import boxes, quantiles
from assay.charts.evaluated import Evaluated, select_pair
from assay.charts.layout import AltairChart, Rows, compose, value_axis
from assay.labels.intervals import interval_words
from assay.labels.metrics import distinct_labels
from assay.labels.statistics import agreement_label
from assay.results import Result
from assay.results.order import best_first
from assay.types.note import plural

__all__ = ["Replicates"]

_ROW = 22  # px


@chart("replicates")
@dataclass(frozen=True, slots=True)
class Replicates(Chart[Evaluated]):
    """A box for each metric: the values in the resamples that its interval comes from."""

    statistic: str = ""
    lp: str = ""
    """Without a name: the first statistic and language pair."""
    outliers: str = "kept"
    limit: int = 30
    """How many metrics to show, the best ones."""

    def select(self, results: Sequence[Result]) -> Evaluated | None:
        shown = select_pair(results, self.statistic, self.lp)
        return shown if shown is not None and _rows(shown, self.outliers) else None

    def draw(self, shown: Evaluated, width: int) -> AltairChart:
        every = _rows(shown, self.outliers)
        rows = every[: self.limit]
        x = value_axis(agreement_label(shown.statistic), width, nice=False, padding=8)
        return compose(
            *boxes(rows, [str(row["name"]) for row in rows], x),
            title="Agreement of each metric, resampled",
            subtitle=_subtitle(shown, rows, len(every)),
            width=width,
            height=_ROW * len(rows),
        )


def _rows(shown: Evaluated, outliers: str) -> Rows:
    rows: Rows = []
    labels = distinct_labels(metric.metric for metric in shown.meta.metrics)
    for metric in shown.meta.metrics:
        agreement = shown.agreement(metric, outliers)
        if agreement is None or agreement.replicates is None or np.isnan(agreement.replicates).all():
            continue
        basis = agreement.estimate.basis
        rows.append(
            {
                "name": labels[metric.metric],
                "role": "ink",
                "method": plural(len(agreement.replicates), "resample") if basis is None else interval_words([basis]),
                **quantiles(agreement.replicates),
            }
        )
    order = best_first({place: row["value"] for place, row in enumerate(rows)})
    return [rows[place] for place in order]


def _subtitle(shown: Evaluated, rows: Rows, every: int) -> str:
    count = plural(len(rows), "metric") + (f" of {every}" if len(rows) < every else "")
    return (
        f"{shown.where}; {rows[0]['method']}; {count}. "
        "Box: the middle half, dot: the median, line: 95 % of the resamples."
    )
