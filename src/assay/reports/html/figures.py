"""Charts of the page: drawn for a wide and for a narrow page, coloured by its style sheet, titled in its own type.

Where a chart has more than the page can show, a reader can choose what it shows (interactive.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.reports.html.drawing import drawing
from assay.reports.html.interactive import Interactive, interactive
from assay.reports.html.page import render
from assay.results import Result

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["HALF", "Figure", "Wanted", "figures", "figures_html"]

HALF = 500
"""The width of a chart that stands beside another, in px."""
_WIDE, _NARROW = 1040, 368


@dataclass(frozen=True, slots=True)
class Wanted:
    """A chart by its name, how wide it is (the page or half of it), and what it shows."""

    name: str
    width: int = _WIDE
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart: what it shows, in words, and its drawings."""

    name: str
    title: str
    subtitle: str
    wide: Markup
    narrow: Markup
    is_half: bool = False
    interactive: Interactive | None = None


def figures(wanted: Iterable[Wanted], *results: Result) -> Iterator[Figure]:
    """Those of the charts that the results have the numbers for."""
    from assay import charts

    for each in wanted:
        if not charts.can_draw(each.name, *results, **each.options):
            continue
        sizes = (each.width, _NARROW)
        wide, narrow = (charts.draw(each.name, *results, width=width, **each.options) for width in sizes)
        title, subtitle = charts.caption(wide)
        drawn_wide, drawn_narrow = (drawing(charts.svg(chart, theme="page", titled=False)) for chart in (wide, narrow))
        yield Figure(
            each.name,
            title,
            subtitle,
            drawn_wide,
            drawn_narrow,
            is_half=each.width < _WIDE,
            interactive=interactive(wide, narrow),
        )


def figures_html(drawn: Iterable[Figure]) -> list[Markup]:
    """Figures with their captions; those of half the width stand side by side."""
    blocks: list[list[Figure]] = []
    for figure in drawn:
        if blocks and figure.is_half and blocks[-1][-1].is_half and len(blocks[-1]) == 1:
            blocks[-1].append(figure)
        else:
            blocks.append([figure])
    return [render("templates/figures.html", figures=block) for block in blocks]
