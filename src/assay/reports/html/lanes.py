"""Intervals and curves drawn inside the rows of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.charts.domains import aligned_domains
from assay.reports.cells import Number
from assay.reports.documents import Series

__all__ = ["HEIGHT", "Lane", "Mark", "Scale", "aligned_scales", "curve", "interval_scale", "marks"]

HEIGHT = 24
_PADDING = 6
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0)
_MOST_STEPS = 5
_DOT = 4.0
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Mark:
    """One interval: pixels from the left, the row it is drawn at, and how it looks (classes of page.css)."""

    low: float | None
    high: float | None
    value: float
    y: float
    look: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """What is drawn in one cell."""

    width: int
    marks: tuple[Mark, ...] = ()
    path: str = ""
    zero: float | None = None
    ticks: tuple[tuple[float, str], ...] = ()
    """Pixels and labels of an axis below the marks, for a scale that the header does not show."""
    words: str = ""
    """What the drawing says."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale with round ticks."""

    low: float
    high: float
    width: int

    def __call__(self, value: float) -> float:
        """Pixels from the left."""
        room = self.width - 2 * _PADDING
        return round(_PADDING + room * (value - self.low) / (self.high - self.low), 1)

    @property
    def zero(self) -> float | None:
        """Where zero is, if it is on the scale."""
        return self(0.0) if self.low <= 0 <= self.high else None

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Pixels and labels of at most six round values."""
        span = self.high - self.low
        power = 10.0 ** math.floor(math.log10(span / _MOST_STEPS))
        step = next(size * power for size in _STEPS if span / (size * power) <= _MOST_STEPS)
        decimals = max(0, -math.floor(math.log10(step) + _ROUNDING))
        first = math.ceil(self.low / step - _ROUNDING)
        values = [k * step for k in range(first, math.floor(self.high / step + _ROUNDING) + 1)]
        return tuple((self(value), _label(value, decimals)) for value in values)


def _label(value: float, decimals: int) -> str:
    return f"{value + 0.0:.{decimals}f}".replace("-", "−")


def interval_scale(numbers: Iterable[Number], width: int, *, needs_intervals: bool = True) -> Scale | None:
    """The scale of the values and their intervals; with zero, if they are differences. None: nothing to draw."""
    found = [each for each in numbers if not math.isnan(each.value)]
    ends = [end for each in found for end in (each.value, each.low, each.high) if math.isfinite(end)]
    if not ends or (needs_intervals and not any(math.isfinite(each.low) for each in found)):
        return None
    if any(each.style == "signed" for each in found):
        ends.append(0.0)
    low, high = min(ends), max(ends)
    return Scale(low, high, width) if high > low else None


def aligned_scales(groups: Mapping[str, Sequence[Number]], width: int) -> dict[str, Scale]:
    """A scale for each group of differences, with all zeros below each other; none without an interval to draw."""
    if not any(math.isfinite(number.low) for numbers in groups.values() for number in numbers):
        return {}
    ends = [[end for each in numbers for end in (each.value, each.low, each.high)] for numbers in groups.values()]
    return {key: Scale(low, high, width) for key, (low, high) in zip(groups, aligned_domains(ends), strict=True)}


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
        )
        for place, (number, look) in enumerate(zip(numbers, looks, strict=True))
        if not math.isnan(number.value)
    )


def curve(series: Series, all_series: Sequence[Series], width: int) -> Lane:
    """A curve, on the scale of all curves of the table; it ends at the right."""
    values = [value for each in all_series for value in each.y if not math.isnan(value)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    span, longest = (high - low) or 1.0, max(len(each.y) for each in all_series)
    step = (width - 2 * _PADDING) / max(longest - 1, 1)
    points = [
        (_PADDING + step * (longest - len(series.y) + k), HEIGHT - _DOT - (HEIGHT - 2 * _DOT) * (value - low) / span)
        for k, value in enumerate(series.y)
        if not math.isnan(value)
    ]
    path = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points))
    return Lane(width, path=path, words=f"curve from {low:.2f} to {high:.2f}")
