"""Rows of boxes: the middle half of some values, their median, and the range of 95 % of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import numpy as np

from assay.charts.intervals import row_axis
from assay.charts.layout import Layer, Properties, Rows, data, layered
from assay.charts.theme import colour, colours
from assay.types import FloatArray

__all__ = ["SHARES", "boxes", "grouped_boxes", "grouped_height", "legend", "quantiles"]

SHARES = {"low": 0.025, "first": 0.25, "value": 0.5, "third": 0.75, "high": 0.975}
_THICKNESS = 8  # px
_BOX, _BETWEEN = 13, 10  # px of a box in a group, and between groups
_LINE = 16  # px of a line of the legend


def quantiles(values: FloatArray) -> dict[str, float]:
    """The numbers of a box, of the values that are defined."""
    defined = values[~np.isnan(values)]
    return {name: float(np.quantile(defined, share)) for name, share in SHARES.items()}


def boxes(rows: Rows, names: list[str], x: Mapping[str, Any], **encoding: Any) -> list[alt.Chart]:
    """A box for each row, in the colour of its `role`."""
    base = alt.Chart(data(rows)).encode(y=row_axis(names), **encoding)
    color = alt.Color("role:N", scale=colours(), legend=None)
    return [
        base.mark_rule(strokeWidth=1.2).encode(x=alt.X("low:Q", **x), x2="high:Q", color=color),
        base.mark_rule(strokeWidth=_THICKNESS).encode(x=alt.X("first:Q", **x), x2="third:Q", color=color),
        base.mark_point(filled=True, fill=colour("paper"), size=26, strokeWidth=1.2).encode(
            x=alt.X("value:Q", **x), stroke=color
        ),
    ]


def grouped_boxes(rows: Rows, names: list[str], roles: Mapping[str, str], x: Mapping[str, Any]) -> list[Layer]:
    """Below each name a box for every `group`, in the role of its colour, with a legend above the plot."""
    offset = alt.YOffset("group:N", scale=alt.Scale(domain=list(roles), paddingOuter=0.6))
    coloured = [{**row, "role": roles[row["group"]]} for row in rows]
    return [*boxes(coloured, names, x, yOffset=offset), legend(roles.items())]


def grouped_height(names: list[str], roles: Mapping[str, str]) -> int:
    """The height of the plot of grouped boxes in px."""
    return (_BOX * len(roles) + _BETWEEN) * len(names)


def legend(entries: Iterable[tuple[str, str]]) -> alt.LayerChart:
    """A square and a name for each entry (name and role of its colour), one below the other."""
    layers: list[Layer] = []
    for place, (name, role) in enumerate(reversed(list(entries))):
        at: Properties = {"x": alt.value(6), "y": alt.value(-14 - _LINE * place)}
        row = alt.Chart(data([{"text": name}]))
        layers.append(row.mark_point(filled=True, shape="square", size=60, color=colour(role)).encode(**at))
        layers.append(row.mark_text(align="left", dx=12, color=colour(role)).encode(text="text:N", **at))
    return layered(*layers)
