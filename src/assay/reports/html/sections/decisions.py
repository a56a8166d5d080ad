"""How often decisions by a metric are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.figures import HALF, Wanted
from assay.reports.html.page import PageSection, Report
from assay.reports.html.section_names import numbered
from assay.reports.html.sections.result_section import result_section
from assay.results import Decisions

__all__ = ["SHOWS", "build"]

SHOWS = (Decisions,)
_CHARTS = (Wanted("human-differences", HALF), Wanted("p-values", HALF), Wanted("metric-errors", HALF))


def build(report: Report) -> Iterator[PageSection]:
    """A section for each result."""
    results = report.of(Decisions)
    for place, result in enumerate(results):
        yield result_section(
            result,
            id=f"decisions{numbered(place)}",
            link="Decisions",
            heading="How often do people confirm what a metric decides?",
            charts=_CHARTS,
            unfolded=3,  # those of the first metric
        )
