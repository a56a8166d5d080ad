"""What a reader can choose in a chart: named parameters of its specification, with their options.

A chart is written in its initial state to SVG, PDF and PNG. Notebooks show a list beside the chart for one name, and
let readers click on marks for several; a report has inputs for both. The specification carries them as `usermeta`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import altair as alt

from assay.charts.layout import AltairChart, Layer
from assay.errors import printable

__all__ = ["Control", "choice", "choices", "clickable", "controls_of", "with_control"]


@dataclass(frozen=True, slots=True)
class Control:
    """A parameter, what it is called, the names to choose from, and those that are chosen at first."""

    parameter: str
    label: str
    options: tuple[str, ...]
    chosen: tuple[str, ...]
    several: bool
    """Whether any number of names can be chosen. The parameter is a selection then, and else a variable."""


def choice(parameter: str, label: str, options: Sequence[str], chosen: str) -> Control:
    """One name of several."""
    return Control(parameter, label, tuple(map(printable, options)), (printable(chosen),), several=False)


def choices(parameter: str, label: str, options: Sequence[str], chosen: Sequence[str]) -> Control:
    """Any number of names."""
    return Control(parameter, label, tuple(map(printable, options)), tuple(map(printable, chosen)), several=True)


def with_control(chart: alt.LayerChart, control: Control) -> alt.LayerChart:
    """The chart with a variable for the one name, and with what a page needs to offer the choice."""
    if not control.several:
        bound = alt.binding_select(options=list(control.options), name=f"{control.label} ")
        chart = chart.add_params(alt.param(control.parameter, value=control.chosen[0], bind=bound))
    described: alt.LayerChart = chart.properties(usermeta={"controls": [asdict(control)]})
    return described


def clickable(layer: alt.Chart, control: Control, field: str) -> Layer:
    """The layer whose marks switch the name in `field` on and off. Expressions find the names as `PARAMETER.FIELD`."""
    selection = alt.selection_point(
        control.parameter, fields=[field], toggle="true", clear=False, value=[{field: name} for name in control.chosen]
    )
    clicked: Layer = layer.add_params(selection)
    return clicked


def controls_of(chart: AltairChart) -> list[Control]:
    """What a reader can choose in a chart; nothing in most of them."""
    described: dict[str, Any] = chart.to_dict(validate=False).get("usermeta") or {}
    return [
        Control(each["parameter"], each["label"], tuple(each["options"]), tuple(each["chosen"]), each["several"])
        for each in described.get("controls", ())
    ]
