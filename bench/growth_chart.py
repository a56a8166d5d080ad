"""The chart of growth: time per cell and peak memory, as segments, systems and references grow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import altair as alt

from assay.charts import svg as as_svg
from assay.charts.layout import MARGIN, Rows, data, panel, titled
from assay.charts.theme import colours, configuration
from bench.growth import SEGMENTS_OF_REFERENCES, SEGMENTS_OF_SYSTEMS, Point

WIDTH = 960  # px
_PANEL = 234, 210
_LINE = 13  # px between labels
_ROLES = {"BLEU": "green", "chrF": "outlier", "TER": "gold"}
_AXES = {
    "segments": "segments (1 system, 1 reference)",
    "systems": f"systems ({SEGMENTS_OF_SYSTEMS:,} segments)",
    "references": f"references ({SEGMENTS_OF_REFERENCES:,} segments)",
}
_COSTS = {"microseconds": "CPU time per cell, µs", "peak_mb": "peak memory, MB"}


def svg(points: Sequence[Point]) -> str:
    """Both rows of panels, on white, which is readable on any page."""
    rows = [alt.hconcat(*(_panel(points, axis, cost) for axis in _AXES), spacing=14) for cost in _COSTS]
    chart = alt.vconcat(*rows, spacing=22).properties(
        padding=MARGIN,
        **titled(
            "What a corpus score with its interval costs as a test set grows",
            "Solid lines: Assay; dashed lines: sacreBLEU, as far as it takes no more than a minute or two. Whole "
            "commands on one thread with 1,000 resamples. All scales are logarithmic.",
            WIDTH,
        ),
    )
    return as_svg(chart.configure(**configuration("light")))


def _panel(points: Sequence[Point], axis: str, cost: str) -> alt.LayerChart:
    shown = [point for point in points if point.axis == axis]
    sizes = sorted({point.size for point in shown})
    domain = _domain([getattr(point, cost) for point in points])
    rows: Rows = [
        {"x": point.size, "y": getattr(point, cost), "tool": point.tool, "role": _ROLES[point.metric]}
        for point in shown
    ]
    x = alt.X(
        "x:Q",
        title=_AXES[axis],
        scale=alt.Scale(type="log", domain=[sizes[0], sizes[-1]], nice=False),
        axis=alt.Axis(values=sizes, grid=False, labelExpr=_SHORT),
    )
    ticks = [10.0**power for power in range(round(math.log10(domain[0])), math.floor(math.log10(domain[1])) + 1)]
    y = alt.Y(
        "y:Q",
        title=_COSTS[cost] if axis == "segments" else None,
        scale=alt.Scale(type="log", domain=domain, nice=False),
        axis=alt.Axis(values=ticks, labels=axis == "segments", format=",~r"),
    )
    role = alt.Color("role:N", scale=colours(), legend=None)
    dash = alt.StrokeDash("tool:N", scale=alt.Scale(domain=["Assay", "sacreBLEU"], range=[[1, 0], [4, 3]]), legend=None)
    base = alt.Chart(data(rows))
    labels = alt.Chart(data(_labels(shown, cost, domain)))
    return panel(
        base.mark_line(strokeWidth=1.8).encode(x=x, y=y, color=role, strokeDash=dash),
        base.mark_circle(size=26).encode(x=x, y=y, color=role),
        labels.mark_text(align="left", dx=7, fontSize=11).encode(x=x, y=y, text="text:N", color=role),
        width=_PANEL[0],
        height=_PANEL[1],
    )


_SHORT = (
    "datum.value >= 1e6 ? datum.value / 1e6 + 'M' : datum.value >= 1e3 ? datum.value / 1e3 + 'k' : '' + datum.value"
)


def _domain(values: Sequence[float]) -> tuple[float, float]:
    """From a power of ten to a power of ten, or twice or five times that."""
    low, high = 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.floor(math.log10(max(values)))
    return low, next(high * factor for factor in (1, 2, 5, 10) if high * factor >= max(values))


def _labels(points: Sequence[Point], cost: str, domain: tuple[float, float]) -> Rows:
    """The name of each line at its end. Names of lines that end close to each other are moved apart."""
    curves = {(point.tool, point.metric): point for point in sorted(points, key=lambda point: point.size)}
    rows: Rows = []
    for size, ends in groupby(sorted(curves.values(), key=lambda point: point.size), key=lambda point: point.size):
        last = sorted(ends, key=lambda point: float(getattr(point, cost)))
        for point, height in zip(last, _apart([_height(getattr(p, cost), domain) for p in last]), strict=True):
            y = domain[0] * (domain[1] / domain[0]) ** (height / _PANEL[1])
            rows.append({"x": size, "y": y, "text": point.metric, "role": _ROLES[point.metric]})
    return rows


def _height(value: float, domain: tuple[float, float]) -> float:
    """px above the x axis."""
    return _PANEL[1] * math.log(value / domain[0]) / math.log(domain[1] / domain[0])


def _apart(heights: Sequence[float]) -> list[float]:
    """Ascending heights at least a line apart, with the middle of each heap where it was."""
    heaps: list[list[float]] = []
    for height in heights:
        heap = [height]
        while heaps and _middle(heap) - _middle(heaps[-1]) < _LINE * (len(heap) + len(heaps[-1])) / 2:
            heap = heaps.pop() + heap
        heaps.append(heap)
    return [_middle(heap) + _LINE * (k - (len(heap) - 1) / 2) for heap in heaps for k in range(len(heap))]


def _middle(heap: Sequence[float]) -> float:
    return sum(heap) / len(heap)
