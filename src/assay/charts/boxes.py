"""Rows of boxes: the middle half of some values, their median, and the range of 95 % of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np

from assay.charts.intervals import row_axis
from assay.charts.layout import Rows, data
from assay.charts.theme import colour, colours
from assay.types import FloatArray

__all__ = ["SHARES", "boxes", "quantiles"]

SHARES = {"low": 0.025, "first": 0.25, "value": 0.5, "third": 0.75, "high": 0.975}
_THICKNESS = 8  # px


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
