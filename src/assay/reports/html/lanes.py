"""Intervals and curves drawn inside the rows of a table.

Intervals have places in percent of the width, so that they fill the column on every screen; curves have pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from assay.charts.layout import aligned_domains
from assay.labels.numbers import true_minus
from assay.reports.cells import Number, cell_text
from assay.reports.documents import Series

__all__ = ["HEIGHT", "Lane", "Mark", "Scale", "aligned_scales", "curve", "interval_scale", "marks"]

HEIGHT = 24
_CURVE, _PADDING = 120, 6
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0)
_DOT = 4.0
_ROUNDING = 1e-9
_FAR = 5.2  # median absolute deviations from the median: 3.5 standard deviations of normal values
_FEWEST = 5  # values that can have one far from the others; if more are far, these are a group of their own
_FLATTENED = 0.6  # the share of the whole range that the others have at most, where a far value is left out


@dataclass(frozen=True, slots=True)
class Mark:
    """One interval: percent from the left, the row it is drawn at, and how it looks (classes of page.css)."""

    low: float | None
    high: float | None
    value: float
    y: float
    look: str = ""
    beyond: str = ""
    """The number of a value off the scale, which an arrow at this edge stands for."""


@dataclass(frozen=True, slots=True)
class Lane:
    """What is drawn in one cell."""

    marks: tuple[Mark, ...] = ()
    path: str = ""
    width: int = 0
    """Of the path, in pixels."""
    zero: float | None = None
    ticks: tuple[tuple[float, str], ...] = ()
    """Percent and labels of an axis below the marks, for a scale that the header does not show."""
    words: str = ""
    """What the drawing says."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale with round ticks."""

    low: float
    high: float
    steps: int = 5
    """The most that the ticks divide it into."""

    def __call__(self, value: float) -> float:
        """Percent from the left; the nearest edge for a value off the scale."""
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 1)

    def holds(self, value: float) -> bool:
        """Whether the value is on the scale."""
        return self.low <= value <= self.high

    @property
    def zero(self) -> float | None:
        """Where zero is, if it is on the scale."""
        return self(0.0) if self.low <= 0 <= self.high else None

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Percent and labels of round values, in the smallest steps that are not too many."""
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / self.steps))
        step = next(size * power for size in _STEPS if len(self._multiples(size * power)) <= self.steps + 1)
        decimals = max(0, -math.floor(math.log10(step) + _ROUNDING))
        return tuple((self(k * step), _label(k * step, decimals)) for k in self._multiples(step))

    def _multiples(self, step: float) -> range:
        """How many times a step each of its multiples on the scale is."""
        first, last = math.ceil(self.low / step - _ROUNDING), math.floor(self.high / step + _ROUNDING)
        return range(first, last + 1)


def _label(value: float, decimals: int) -> str:
    return f"{value + 0.0:.{decimals}f}".replace("-", "−")


def interval_scale(numbers: Iterable[Number], *, needs_intervals: bool = True) -> Scale | None:
    """The scale of the values and their intervals; with zero, if they are differences. None: nothing to draw.

    Values that are far from all others are left out, if they would flatten these.
    """
    found = [each for each in numbers if not math.isnan(each.value)]
    if not found or (needs_intervals and not any(math.isfinite(each.low) for each in found)):
        return None
    whole, near = _range(found), _range(_near(found))
    low, high = near if near[1] - near[0] <= _FLATTENED * (whole[1] - whole[0]) else whole
    return Scale(low, high) if high > low else None


def _range(numbers: Sequence[Number]) -> tuple[float, float]:
    ends = [end for each in numbers for end in (each.value, each.low, each.high) if math.isfinite(end)]
    if any(each.style == "signed" for each in numbers):
        ends.append(0.0)
    return min(ends, default=0.0), max(ends, default=0.0)


def _near(numbers: Sequence[Number]) -> Sequence[Number]:
    """The numbers without those far from the median, as far as most values differ from it."""
    if len(numbers) < _FEWEST:
        return numbers
    middle = median(each.value for each in numbers)
    usual = median(abs(each.value - middle) for each in numbers)
    near = [each for each in numbers if abs(each.value - middle) <= _FAR * usual]
    return near if usual and _FEWEST * (len(numbers) - len(near)) <= len(numbers) else numbers


def aligned_scales(groups: Mapping[str, Sequence[Number]]) -> dict[str, Scale]:
    """A scale for each group of differences, with all zeros below each other; none without an interval to draw."""
    if not any(math.isfinite(number.low) for numbers in groups.values() for number in numbers):
        return {}
    ends = [[end for each in numbers for end in (each.value, each.low, each.high)] for numbers in groups.values()]
    return {key: Scale(low, high) for key, (low, high) in zip(groups, aligned_domains(ends), strict=True)}


def marks(numbers: Sequence[Number], looks: Sequence[str], scale: Scale) -> tuple[Mark, ...]:
    """The numbers of one cell, one below the other."""
    rows = len(numbers)
    return tuple(
        Mark(
            low=scale(number.low) if math.isfinite(number.low) else None,
            high=scale(number.high) if math.isfinite(number.high) else None,
            value=scale(number.value),
            y=HEIGHT * (place + 1) / (rows + 1) if rows == 1 else HEIGHT * (0.3 + 0.4 * place / (rows - 1)),
            look=look,
            beyond="" if scale.holds(number.value) else _beside_an_arrow(number),
        )
        for place, (number, look) in enumerate(zip(numbers, looks, strict=True))
        if not math.isnan(number.value)
    )


def _beside_an_arrow(number: Number) -> str:
    return true_minus(cell_text(Number(number.value, number.decimals, style=number.style)))


def curve(series: Series, all_series: Sequence[Series]) -> Lane:
    """A curve, on the scale of all curves of the table; it ends at the right."""
    values = [value for each in all_series for value in each.y if not math.isnan(value)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    span, longest = (high - low) or 1.0, max(len(each.y) for each in all_series)
    step = (_CURVE - 2 * _PADDING) / max(longest - 1, 1)
    points = [
        (_PADDING + step * (longest - len(series.y) + k), HEIGHT - _DOT - (HEIGHT - 2 * _DOT) * (value - low) / span)
        for k, value in enumerate(series.y)
        if not math.isnan(value)
    ]
    path = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points))
    return Lane(path=path, width=_CURVE, words=f"curve from {low:.2f} to {high:.2f}")
