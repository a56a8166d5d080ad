"""The look of all charts: colours of each theme, fonts and axes.

A chart names colours by their role (`colour("first")`), and the theme that it is written with says which they are. Blue
and orange are the two systems of a comparison and nothing else. All pairs of roles that stand side by side differ for
readers with red-green blindness, and no chart relies on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.errors import ConfigError, nearest

__all__ = ["FONT", "THEMES", "colour", "colours", "configuration"]

FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""Fonts of one width: the layout of a chart does not depend on which of them a reader has."""

_COLOURS = {
    "paper": ("#ffffff", "#121518"),
    "ink": ("#16191d", "#e9ebee"),
    "muted": ("#59626d", "#a3adb7"),
    "faint": ("#9aa2ab", "#6b747d"),
    "rule": ("#e3e6ea", "#292f35"),
    "band": ("#edeff2", "#20262b"),
    "first": ("#0b65a3", "#63b3ea"),
    "second": ("#b64a00", "#f29a5e"),
    "outlier": ("#96387a", "#e08cc4"),
    "green": ("#00755f", "#4cc3a6"),
    "gold": ("#8a6400", "#e2b84c"),
}
"""In light and in dark."""

THEMES: Mapping[str, Mapping[str, str]] = {
    "light": {role: light for role, (light, _) in _COLOURS.items()},
    "dark": {role: dark for role, (_, dark) in _COLOURS.items()},
    "page": {role: f"var(--chart-{role})" for role in _COLOURS},
}
"""Colours by role. `page` leaves them to the style sheet of the page that an SVG stands in."""


def colour(role: str) -> alt.ExprRef:
    """The colour of a role, in whichever theme the chart is written."""
    if role not in _COLOURS:
        raise ConfigError(f"no colour has the role '{role}'", hint=nearest(role, _COLOURS))
    return alt.ExprRef(expr=role)


def colours() -> alt.Scale:
    """The scale from roles to their colours, for a field that holds a role."""
    return alt.Scale(domain=list(_COLOURS), range=[colour(role) for role in _COLOURS])


def configuration(theme: str) -> dict[str, Any]:
    """The Vega-Lite configuration of a theme."""
    if theme not in THEMES:
        raise ConfigError(f"unknown theme '{theme}'", hint=nearest(theme, THEMES))
    ink, muted, rule = ({"expr": role} for role in ("ink", "muted", "rule"))
    return {
        "params": [{"name": role, "value": value} for role, value in THEMES[theme].items()],
        "background": "transparent" if theme == "page" else THEMES[theme]["paper"],
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            "aria": False,
            "domain": False,
            "ticks": False,
            "gridColor": rule,
            "labelColor": muted,
            "labelFontSize": 12,
            "labelLimit": 0,
            "labelPadding": 8,
            "titleColor": muted,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titleLimit": 0,
            "titlePadding": 10,
        },
        "axisX": {"labelFlush": False},
        "axisBand": {"grid": False, "labelColor": ink},
        "header": {"labelColor": ink, "labelFontSize": 12, "labelFontWeight": "bold", "title": None},
        "title": {
            "anchor": "start",
            "color": ink,
            "fontSize": 15,
            "fontWeight": "bold",
            "limit": 0,
            "lineHeight": 19,
            "offset": 16,
            "subtitleColor": muted,
            "subtitleFontSize": 13,
            "subtitleLineHeight": 18,
            "subtitlePadding": 6,
        },
        "mark": {"aria": False, "color": ink},
        "text": {"color": ink, "fontSize": 12},
        "rule": {"color": ink},
        "circle": {"opacity": 1, "size": 50},
        "point": {"opacity": 1, "size": 50, "strokeWidth": 1.5},
        "legend": {"labelColor": ink, "labelFontSize": 12, "titleColor": muted, "titleFontSize": 12},
    }
