"""Putting a chart together: its size, its title, and the texts beside its marks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import altair as alt

from assay.errors import printable

__all__ = [
    "MARGIN",
    "NARROW",
    "AltairChart",
    "Layer",
    "Properties",
    "Rows",
    "aligned_domains",
    "compose",
    "data",
    "layered",
    "panel",
    "signed_axis",
    "stacked",
    "text_width",
    "tick_count",
    "titled",
    "value_axis",
    "wrapped",
]

AltairChart: TypeAlias = alt.LayerChart | alt.HConcatChart | alt.VConcatChart | alt.ConcatChart
Layer: TypeAlias = alt.Chart | alt.LayerChart

NARROW = 450
"""A chart of less width leaves out what has no room there."""

_SIDE, _AIR = 0.35, 0.05  # the least that each side of zero has of the longer one, and what is left free
MARGIN = 8
"""px around a chart."""

Rows: TypeAlias = list[dict[str, Any]]
Properties: TypeAlias = dict[str, Any]
"""Of an axis or a mark, shared by several layers."""

_WIDTHS = {"iljI.,:;'|!()[] ": 0.3, "ftr-/": 0.36, "mwMW@%—": 0.88}


def compose(
    *layers: Layer,
    title: str,
    subtitle: str,
    width: int,
    height: int,
) -> alt.LayerChart:
    """Layers in one frame that is `width` px wide in all, with the texts beside the plot."""
    chart: alt.LayerChart = layered(*layers).properties(
        width=width,
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=MARGIN,
        **titled(title, subtitle, width),
    )
    return chart


def stacked(*panels: alt.LayerChart, title: str, subtitle: str, width: int, spacing: int = 12) -> alt.VConcatChart:
    """Panels below each other, each of which has its size already."""
    chart: alt.VConcatChart = alt.vconcat(*panels, spacing=spacing).properties(
        padding=MARGIN, **titled(title, subtitle, width)
    )
    return chart


def panel(*layers: Layer, width: float, height: float) -> alt.LayerChart:
    """Layers in a plot of a size; axes and texts are around it."""
    chart: alt.LayerChart = layered(*layers).properties(width=width, height=height)
    return chart


def layered(*layers: Layer) -> alt.LayerChart:
    """Layers as one."""
    chart: Any = alt.layer(*layers)
    combined: alt.LayerChart = chart
    return combined


def titled(title: str, subtitle: str, width: int) -> dict[str, Any]:
    """The title, broken into lines that fit, and the same as the description that screen readers read."""
    return {
        "title": alt.TitleParams(text=wrapped(title, 15, width), subtitle=wrapped(subtitle, 13, width)),
        "description": f"{title} {subtitle}",
    }


def value_axis(title: str, width: float, **scale: Any) -> Properties:
    """The properties of an axis of values that need not begin at zero; `scale` has more of its scale."""
    return {
        "title": title,
        "scale": alt.Scale(zero=False, **scale),
        "axis": alt.Axis(tickCount=tick_count(width)),
    }


def signed_axis(width: float) -> alt.Axis:
    """An axis of differences, whose labels have a sign."""
    return alt.Axis(tickCount=tick_count(width), labelExpr="(datum.value > 0 ? '+' : '') + datum.label")


def tick_count(width: float) -> int:
    """About how many labels an axis has room for."""
    return max(3, int(width) // 85)


def data(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as the data of a chart: texts printable, and numbers that JSON does not have left out."""
    return alt.InlineData(values=[{key: _plain(value) for key, value in row.items()} for row in rows])


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def text_width(texts: Iterable[str], size: float = 12) -> float:
    """About how many px the widest of some texts is wide."""
    return max((size * sum(map(_character_width, text)) for text in texts), default=0.0)


def _character_width(character: str) -> float:
    if ord(character) >= 0x1100:
        return 1.0
    for characters, width in _WIDTHS.items():
        if character in characters:
            return width
    return 0.7 if character.isupper() else 0.56


def wrapped(text: str, size: float, width: float) -> Sequence[str]:
    """A text in lines of at most `width` px, in letters of a size; a name is not broken at its hyphens."""
    per_line = max(20, int((width - 2 * MARGIN) / (0.51 * size)))
    kept_together = printable(text).replace(" < ", "\u00a0<\u00a0")
    return textwrap.wrap(kept_together, per_line, break_on_hyphens=False) or [""]


def aligned_domains(groups: Sequence[Iterable[float]]) -> list[tuple[float, float]]:
    """A range for each group of values, by the largest of them, with all zeros below each other."""
    finite = [[value for value in group if math.isfinite(value)] for group in groups]
    sizes = [max(map(abs, group), default=1.0) or 1.0 for group in finite]
    shares = [value / size for group, size in zip(finite, sizes, strict=True) for value in group]
    low, high = min((*shares, -_SIDE)) - _AIR, max((*shares, _SIDE)) + _AIR
    return [(size * low, size * high) for size in sizes]
