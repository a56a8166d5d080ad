"""Results that no other section shows: their charts and tables."""

from __future__ import annotations

from collections.abc import Iterator

from assay.charts import drawable
from assay.reports import document
from assay.reports.html.figures import Wanted
from assay.reports.html.page import PageSection, Report, shown_types
from assay.reports.html.sections.result_section import result_section

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """A section for each result of a type that no section declares."""
    results = [result for result in report.results if not isinstance(result, shown_types())]
    for number, result in enumerate(results, 1):
        title = document(result).title
        heading = title if len(report.results) > 1 else "The numbers"  # of a single result, the verdict has the title
        yield result_section(
            result, id=f"other-{number}", link=title, heading=heading, charts=map(Wanted, drawable(result)), part="More"
        )
