"""Charts of the page: drawn for a wide and for a narrow page, coloured by its style sheet, titled in its own type.

Where a chart has more than the page can show, a reader can choose what it shows (interactive.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.reports.blocks import Figure
from assay.reports.html.drawing import drawing
from assay.reports.html.interactive import Interactive, interactive

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["Drawn", "drawn"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart: what it shows, in words, and its drawings."""

    name: str
    title: str
    subtitle: str
    wide: Markup
    narrow: Markup
    interactive: Interactive | None


def drawn(figure: Figure) -> Drawn:
    """The drawings of a figure."""
    from assay import charts

    title, subtitle = charts.caption(figure.wide)
    wide, narrow = (drawing(charts.svg(chart, theme="page", titled=False)) for chart in (figure.wide, figure.narrow))
    return Drawn(figure.name, title, subtitle, wide, narrow, interactive(figure.wide, figure.narrow))
