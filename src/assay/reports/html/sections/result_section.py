"""A section that shows a result as its document has it, with charts above the tables.

Tables whose numbers the charts show are folded below them; without a chart, a page shows all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.reports import document
from assay.reports.documents import Section
from assay.reports.html.figures import Wanted, figures, figures_html
from assay.reports.html.page import PageSection, render
from assay.reports.html.tables import sections_html
from assay.results import Result

__all__ = ["result_section"]


def result_section(
    result: Result,
    *,
    id: str,  # noqa: A002
    link: str,
    heading: str,
    lede: str = "",
    part: str = "Metrics",
    charts: Iterable[Wanted] = (),
    unfolded: int = 0,
) -> PageSection:
    """Charts that the result has no numbers for are left out. `unfolded`: so many tables stand open below charts."""
    blocks = figures_html(figures(charts, result))
    shown, folded = list(document(result).sections), list[Section]()
    if blocks:
        shown, folded = _split(shown, unfolded)
    blocks.append(sections_html(shown, caption=heading))
    if folded:
        tables = sections_html(folded, caption=heading, draws=False)
        blocks.append(
            render("templates/fold.html", summary="More numbers" if unfolded else "All numbers", tables=tables)
        )
    return PageSection(id, link, heading, render("templates/section.html", blocks=blocks), lede, part=part)


def _split(sections: Iterable[Section], unfolded: int) -> tuple[list[Section], list[Section]]:
    """The sections up to a number of tables, and the rest; sentences without a table stay in sight."""
    shown, folded = [], []
    for section in sections:
        first, rest = section.grids[:unfolded], section.grids[unfolded:]
        unfolded -= len(first)
        if first or not rest:
            shown.append(replace(section, grids=first))
        if rest:
            folded.append(replace(section, grids=rest))
    return shown, folded
