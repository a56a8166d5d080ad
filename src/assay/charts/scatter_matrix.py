"""Every two of several scores against each other, with histograms (Cavalin et al. 2024)."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from assay.charts.layout import MARGIN, NARROW, AltairChart, Properties, data, panel, text_width, titled
from assay.charts.theme import colour
from assay.errors import printable
from assay.labels.numbers import number, true_minus
from assay.types import FloatArray

__all__ = ["scatter_matrix"]

_AXIS, _EXTENT, _GAP = 47, 30, 10  # px: of the axis at the left with its title and without, and between cells
_LETTER, _LINE = 8.0, 14  # px: the width of a bold letter, at most about, and the height of a line
_RATIO = 0.75  # of the height of a cell to its width
_AIR = 0.06  # left free around the scores
_BINS = 8
_DOT, _SMALL_DOT, _MANY = 26, 9, 100  # px², and the number of dots from which on they are small
_Column = Mapping[str, float]


def scatter_matrix(columns: Mapping[str, _Column], *, width: int, title: str, subtitle: str) -> AltairChart:
    """Below the diagonal, a dot for each name; on it, histograms; above it, Pearson's r. A narrow one has three scores.

    `columns` are the scores, by name of the system.
    """
    names = list(columns)[: 3 if width < NARROW else None]
    cell = (width - _AXIS - 2 * MARGIN - _GAP * len(names)) / len(names)
    dots = max(len(columns[name]) for name in names)
    matrix = _Matrix(columns, names, cell, _SMALL_DOT if dots > _MANY else _DOT)
    rows = [alt.hconcat(*(matrix.cell(i, j) for j in range(len(names))), spacing=_GAP) for i in range(len(names))]
    subtitle += " Below the diagonal: a dot is a system; on it: histograms; above it: Pearson's r of the two scores."
    chart: alt.VConcatChart = alt.vconcat(*rows, spacing=_GAP).properties(
        padding=MARGIN, **titled(title, subtitle, width)
    )
    return chart


@dataclass(frozen=True, slots=True)
class _Matrix:
    columns: Mapping[str, _Column]
    names: Sequence[str]
    size: float
    """The width of a cell."""
    dot: int
    """The area of a dot."""

    def cell(self, row: int, column: int) -> alt.LayerChart:
        """A scatter plot below the diagonal, a histogram on it, a correlation above it."""
        if row == column:
            return self._histogram(column)
        x, y = _common(self.columns[self.names[column]], self.columns[self.names[row]])
        if row < column:
            return self._correlation(x, y)
        points = alt.Chart(data({"x": a, "y": b} for a, b in zip(x.tolist(), y.tolist(), strict=True)))
        dots = points.mark_circle(size=self.dot, color=colour("ink"))
        return self._panel(dots.encode(x=self._x(row, column), y=self._y(row, column)))

    def _panel(self, *layers: alt.Chart) -> alt.LayerChart:
        return panel(*layers, width=self.size, height=_RATIO * self.size)

    def _histogram(self, column: int) -> alt.LayerChart:
        name = self.names[column]
        values = np.array([value for value in self.columns[name].values() if not math.isnan(value)])
        counts, edges = np.histogram(values, bins=_BINS) if len(values) else (np.zeros(0), np.zeros(1))
        rows = [
            {"x": low, "end": high, "count": count}
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        ]
        bars = alt.Chart(data(rows)).mark_rect(color=colour("faint"), stroke=colour("paper"))
        height = alt.Y("count:Q", axis=None)
        return self._panel(
            bars.encode(x=self._x(column, column), x2="end:Q", y=height, y2=alt.datum(0)), *self._heading(column)
        )

    def _heading(self, column: int) -> list[alt.Chart]:
        """The name above a histogram, whole, in as many lines as it takes; with its number, if axes have numbers."""
        name = self.names[column] if self.fits else f"{column + 1} {self.names[column]}"
        lines = _broken(printable(name), max(int(self.size / _LETTER), 4))
        return [
            alt.Chart(data([{"text": line}]))
            .mark_text(fontWeight="bold", baseline="bottom")
            .encode(x=alt.value(self.size / 2), y=alt.value(-2 - _LINE * place), text="text:N")
            for place, line in enumerate(reversed(lines))
        ]

    @property
    def fits(self) -> bool:
        """Whether there is room for the names beside the axes. Numbers stand there otherwise."""
        return text_width(self.names) <= _RATIO * self.size

    def _correlation(self, x: FloatArray, y: FloatArray) -> alt.LayerChart:
        r = float(np.corrcoef(x, y)[0, 1]) if len(x) > 1 and np.ptp(x) and np.ptp(y) else math.nan
        text = alt.Chart(data([{"text": true_minus(number(r))}])).mark_text(fontSize=14)
        centre: Properties = {"x": alt.value(self.size / 2), "y": alt.value(_RATIO * self.size / 2)}
        return self._panel(text.encode(text="text:N", **centre))

    def _x(self, row: int, column: int) -> alt.X:
        is_last = row == len(self.names) - 1
        return alt.X("x:Q", scale=self._scale(column), axis=self._axis(column) if is_last else _grid())

    def _y(self, row: int, column: int) -> alt.Y:
        axis = self._axis(row, minExtent=_EXTENT, maxExtent=_EXTENT) if column == 0 else _grid()
        return alt.Y("y:Q", scale=self._scale(row), axis=axis)

    def _scale(self, place: int) -> alt.Scale:
        """The same for all cells of a variable."""
        values = [value for value in self.columns[self.names[place]].values() if not math.isnan(value)]
        low, high = min(values, default=0.0), max(values, default=1.0)
        air = _AIR * (high - low) or 1.0
        return alt.Scale(domain=[low - air, high + air], nice=False)

    def _axis(self, place: int, **extent: Any) -> alt.Axis:
        return alt.Axis(
            title=printable(self.names[place]) if self.fits else str(place + 1),
            tickCount=3,
            labelFontSize=10,
            titleFontSize=11,
            titlePadding=6,
            **extent,
        )


def _broken(name: str, letters: int) -> list[str]:
    """A name in lines, which end after - or _ if they can."""
    parts = re.sub("(?<=[-_])", " ", name)
    return [re.sub("(?<=[-_]) ", "", line) for line in textwrap.wrap(parts, letters)]


def _grid() -> alt.Axis:
    """An axis that shows nothing but its grid."""
    return alt.Axis(labels=False, title=None, tickCount=3)


def _common(first: _Column, second: _Column) -> tuple[FloatArray, FloatArray]:
    """The scores of the systems that have both."""
    names = [name for name in first if name in second and not math.isnan(first[name] + second[name])]
    return np.array([first[name] for name in names]), np.array([second[name] for name in names])
