"""Names with their colours above a plot, where there is no room beside the marks."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt

from assay.charts.layout import Layer, Properties, data, layered
from assay.charts.theme import colour

__all__ = ["legend"]

_LINE = 16  # px


def legend(entries: Iterable[tuple[str, str]]) -> alt.LayerChart:
    """A square and a name for each entry (name and role of its colour), one below the other."""
    layers: list[Layer] = []
    for place, (name, role) in enumerate(reversed(list(entries))):
        at: Properties = {"x": alt.value(6), "y": alt.value(-14 - _LINE * place)}
        row = alt.Chart(data([{"text": name}]))
        layers.append(row.mark_point(filled=True, shape="square", size=60, color=colour(role)).encode(**at))
        layers.append(row.mark_text(align="left", dx=12, color=colour(role)).encode(text="text:N", **at))
    return layered(*layers)
