"""A section that shows a result as its document has it, with charts above the tables."""

from __future__ import annotations

from collections.abc import Iterable

from assay.reports import document
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
) -> PageSection:
    """Charts that the result has no numbers for are left out."""
    drawn = figures_html(figures(charts, result))
    tables = sections_html(document(result).sections, caption=heading)
    return PageSection(id, link, heading, render("templates/section.html", blocks=[*drawn, tables]), lede, part=part)
