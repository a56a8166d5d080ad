"""How the difference of two systems is distributed over segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from assay.charts import Chart, chart
from assay.charts.compared_pair import PairOfSystems, select_pair
from assay.charts.layout import AltairChart, Rows, compose, data, signed_axis
from assay.charts.theme import colour, colours
from assay.errors import UnknownNameError, nearest
from assay.labels.metrics import metric_label
from assay.labels.numbers import difference_text, true_minus
from assay.results import Result
from assay.results.ties import score_differences
from assay.types import FloatArray
from assay.types.note import plural

__all__ = ["SegmentDifferences"]

_BINS = 20  # on each side of zero


@dataclass(frozen=True, slots=True)
class _Segments:
    pair: PairOfSystems
    metric: str
    differences: FloatArray
    """Of segments with both scores; positive where the first system is better."""
    is_negated: bool


@chart("segment-differences")
@dataclass(frozen=True, slots=True)
class SegmentDifferences(Chart[_Segments]):
    """A histogram: right of zero, segments in which the first system is better. Equal scores are counted in words."""

    first: str = ""
    second: str = ""
    """Without names: the first pair that was compared."""
    metric: str = ""
    """The first one if it is left out."""

    def select(self, results: Sequence[Result]) -> _Segments | None:
        pair = select_pair(results, self.first, self.second)
        if pair is None or not pair.comparison.segments:
            return None
        segments = pair.comparison.segments
        metric = self.metric or next(iter(segments))
        if metric not in segments:
            raise UnknownNameError(f"'{metric}' was not compared", hint=nearest(metric, segments))
        differences = score_differences(segments[metric][pair.first], segments[metric][pair.second])
        is_negated = not pair.comparison.metric(metric).higher_is_better
        defined = differences[~np.isnan(differences)]
        return _Segments(pair, metric, -defined if is_negated else defined, is_negated) if len(defined) else None

    def draw(self, shown: _Segments, width: int) -> AltairChart:
        title = f"difference in {metric_label(shown.metric)}" + (
            ", negated: lower is better" if shown.is_negated else ""
        )
        x = alt.X("low:Q", title=title, axis=signed_axis(width), scale=alt.Scale(nice=False))
        bars = (
            alt.Chart(data(_rows(shown.differences)))
            .mark_rect(stroke=colour("paper"), strokeWidth=1, aria=True)
            .encode(
                x=x,
                x2="high:Q",
                y=alt.Y("segments:Q", title="segments", axis=alt.Axis(tickCount=4)),
                y2=alt.datum(0),
                fill=alt.Color("role:N", scale=colours(), legend=None),
                description="words:N",
            )
        )
        mean = float(shown.differences.mean())
        line = alt.Chart(data([{"low": mean}])).mark_rule(strokeDash=[4, 3]).encode(x="low:Q")
        return compose(
            bars,
            line,
            title=f"In which segments is {shown.pair.first} or {shown.pair.second} better?",
            subtitle=_subtitle(shown),
            width=width,
            height=180,
        )


def _rows(differences: FloatArray) -> Rows:
    """Bins of equal width, with zero at the border of two."""
    size = float(np.abs(differences).max()) or 1.0
    counts, edges = np.histogram(differences[differences != 0], bins=2 * _BINS, range=(-size, size))
    return [
        {
            "low": low,
            "high": high,
            "segments": count,
            "role": "first" if high > 0 else "second",
            "words": true_minus(f"{difference_text(low)} to {difference_text(high)}: {plural(count, 'segment')}"),
        }
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        if count
    ]


def _subtitle(shown: _Segments) -> str:
    wins, losses = int((shown.differences > 0).sum()), int((shown.differences < 0).sum())
    ties = len(shown.differences) - wins - losses
    segments = plural(len(shown.differences), "segment")
    return (
        f"{metric_label(shown.metric)} of {segments}: {shown.pair.first} (blue, right) is better in {wins:,}, "
        f"{shown.pair.second} (orange, left) in {losses:,}; {ties:,} with equal scores are not drawn. Dashed: the mean."
    )
