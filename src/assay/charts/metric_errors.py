"""Which metrics are wrong about the same pairs of systems, as a heat map (Mathur et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.intervals import label_width
from assay.charts.layout import MARGIN, AltairChart, Rows, compose, data
from assay.charts.theme import colour
from assay.errors import ConfigError
from assay.labels.metrics import score_label
from assay.labels.numbers import share_text
from assay.results import Decisions, ErrorOverlap, Result
from assay.types.note import plural

__all__ = ["MetricErrors"]

_MAX_CELL, _CELL_HEIGHT, _MIN_CELL_WITH_TEXT = 90, 32, 34  # px


@chart("metric-errors")
@dataclass(frozen=True, slots=True)
class MetricErrors(Chart[ErrorOverlap]):
    """For each two metrics, the errors of both as a share of the errors of either; on the diagonal, their number."""

    protocol: str = ""
    """The first one if it is left out."""

    def select(self, results: Sequence[Result]) -> ErrorOverlap | None:
        decisions = find(Decisions, results)
        if decisions is None or not decisions.overlaps:
            return None
        for overlap in decisions.overlaps:
            if self.protocol in ("", overlap.protocol):
                return overlap
        known = ", ".join(overlap.protocol for overlap in decisions.overlaps)
        raise ConfigError(f"no errors are known for the protocol '{self.protocol}'", hint=f"available: {known}")

    def draw(self, shown: ErrorOverlap, width: int) -> AltairChart:
        labels = [f"{place}  {_label(name)}" for place, name in enumerate(shown.metrics, 1)]
        places = [str(place) for place in range(1, len(labels) + 1)]
        cell = min((width - label_width(labels) - 2 * MARGIN) / len(labels), _MAX_CELL)
        scale = alt.Scale(domain=places, range=[0, cell * len(labels)])
        base = alt.Chart(data(_rows(shown, labels))).encode(
            x=alt.X("column:N", scale=scale, title=None, axis=alt.Axis(orient="top", labelAngle=0)),
            y=alt.Y("name:N", scale=alt.Scale(domain=labels), title=None),
        )
        layers = [
            base.mark_rect(color=colour("green"), stroke=colour("paper"), strokeWidth=2).encode(
                fillOpacity=alt.FillOpacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 0.7]), legend=None)
            )
        ]
        if cell >= _MIN_CELL_WITH_TEXT:
            layers.append(base.mark_text(fontSize=11).encode(text="text:N"))
        return compose(
            *layers,
            title="Are metrics wrong about the same pairs of systems?",
            subtitle=(
                f"{plural(shown.pairs, 'pair')} of systems, {shown.protocol}. Errors of both metrics as a share of the "
                f"errors of either; on the diagonal, the errors of each. All metrics are wrong about "
                f"{shown.common:,} pairs, at least one about {shown.any:,}."
            ),
            width=width,
            height=_CELL_HEIGHT * len(labels),
        )


def _label(name: str) -> str:
    """`bleu corpus` is BLEU."""
    metric, _, aggregation = name.rpartition(" ")
    return score_label(metric, aggregation)


def _rows(overlap: ErrorOverlap, labels: Sequence[str]) -> Rows:
    shared = overlap.shared.tolist()
    rows: Rows = []
    for i, label in enumerate(labels):
        for j in range(len(labels)):
            either = shared[i][i] + shared[j][j] - shared[i][j]
            share = shared[i][j] / either if either else None
            text = f"{shared[i][i]:,}" if i == j else "–" if share is None else share_text(share)
            rows.append({"name": label, "column": str(j + 1), "share": share if i != j else 0.0, "text": text})
    return rows
