"""Rows of dots with their intervals, which several charts consist of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt

from assay.charts.layout import Properties, Rows, data, layered, text_width
from assay.charts.theme import colour, colours
from assay.errors import printable
from assay.results import Estimate

__all__ = [
    "COLUMN_GAP",
    "ROW",
    "cluster_lines",
    "dots",
    "estimate_fields",
    "label_width",
    "reference_line",
    "right_column",
    "row_axis",
]

ROW = 24  # px between rows
COLUMN_GAP = 14  # px between the plot and a column of texts, and between two columns


_WORDS = (
    "datum.name + ': ' + format(datum.value, '.4') + "
    "(isValid(datum.low) && isValid(datum.high) ? "
    "', from ' + format(datum.low, '.4') + ' to ' + format(datum.high, '.4') : '')"
)
"""What a dot says when a reader points at it."""
_LABEL_LIMIT = 220  # px
_LABEL_PADDING = 8  # px


def row_axis(names: Iterable[str], *, extent: float | None = None, **options: Any) -> alt.Y:
    """One row for each value of `name`, in this order. `extent` fixes the width of the labels."""
    scale = alt.Scale(domain=[printable(name) for name in names])
    fixed: Properties = {} if extent is None else {"minExtent": extent, "maxExtent": extent}
    return alt.Y("name:N", scale=scale, title=None, axis=alt.Axis(labelLimit=_LABEL_LIMIT, **fixed), **options)


def cluster_lines(rows: Rows, starts: Iterable[str]) -> alt.Chart:
    """A dotted line above each row that starts a cluster."""
    lines: alt.Chart = alt.Chart(data({"name": name} for name in starts)).mark_rule(
        strokeDash=[2, 3], color=colour("faint")
    )
    placed: alt.Chart = lines.encode(y=row_axis(_names(rows), bandPosition=0))
    return placed


def label_width(names: Iterable[str]) -> float:
    """About how many px the labels of rows take, for panels that must be in line."""
    return min(text_width(names), _LABEL_LIMIT) + _LABEL_PADDING


def dots(rows: Rows, x: Mapping[str, Any], *, extent: float | None = None, **encoding: Any) -> list[alt.Chart]:
    """A dot at `value` and a line from `low` to `high` in each row.

    `role` is the colour, and a row with `hollow` has a hollow dot. `x` are the properties of the axis: title, scale,
    …; `encoding` is for further channels, such as an offset inside of a row.
    """
    base = alt.Chart(data(rows)).encode(y=row_axis(_names(rows), extent=extent), **encoding)
    line, fill = (alt.Color(f"{field}:N", scale=colours(), legend=None) for field in ("role", "fill"))
    lines = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", **x), x2="high:Q", color=line)
    points = base.mark_point(filled=True, size=46, aria=True).encode(
        x=alt.X("value:Q", **x), stroke=line, fill=fill, description="words:N"
    )
    return [
        lines.transform_filter("isValid(datum.low) && isValid(datum.high)"),
        points.transform_filter("isValid(datum.value)").transform_calculate(
            fill="datum.hollow ? 'paper' : datum.role", words=_WORDS
        ),
    ]


def right_column(
    rows: Rows, field: str, offset: float, *, width: float | None = None, title: str = "", role: str = "muted"
) -> tuple[alt.LayerChart, float]:
    """The texts of a field in a right-aligned column beside the plot, and where the next column may begin."""
    width = width or text_width([*(str(row[field]) for row in rows), title])
    texts = (
        alt.Chart(data(rows))
        .mark_text(align="right", dx=offset + width, color=colour(role))
        .encode(x=alt.value("width"), y=row_axis(_names(rows)), text=f"{field}:N")
    )
    head = (
        alt.Chart(data([{"title": title}]))
        .mark_text(align="right", dx=offset + width, color=colour("muted"))
        .encode(x=alt.value("width"), y=alt.value(-14), text="title:N")
    )
    return layered(texts, *([head] if title else [])), offset + width + COLUMN_GAP


def estimate_fields(estimate: Estimate) -> dict[str, float]:
    """What a dot and its line need of a row."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def reference_line(x: Mapping[str, Any], value: float = 0.0) -> alt.Chart:
    """A line across the plot, darker than the grid."""
    line: alt.Chart = alt.Chart(data([{"value": value}])).mark_rule(color=colour("faint"))
    return line.encode(x=alt.X("value:Q", **x))


def _names(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["name"] for row in rows))
