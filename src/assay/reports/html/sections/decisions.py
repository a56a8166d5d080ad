"""How often decisions by a metric are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.figures import HALF, Wanted
from assay.reports.html.page import PageSection, Report
from assay.reports.html.sections.result_section import result_section
from assay.results import Decisions

__all__ = ["SHOWS", "build"]

SHOWS = (Decisions,)
_CHARTS = (Wanted("human-differences", HALF), Wanted("p-values", HALF), Wanted("metric-errors", HALF))


def build(report: Report) -> Iterator[PageSection]:
    """A section for each result."""
    results = report.of(Decisions)
    for number, result in enumerate(results, 1):
        yield result_section(
            result,
            id="decisions" if len(results) == 1 else f"decisions-{number}",
            link="Decisions",
            heading="How often are decisions by a metric wrong?",
            charts=_CHARTS,
            unfolded=3,  # those of the first metric
        )
