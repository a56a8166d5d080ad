"""Segments in which two systems differ most, for comparisons whose texts are not at hand for the viewer."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.page import PageSection, Report
from assay.reports.html.tables import sections_html
from assay.reports.system_comparison import contrast_section
from assay.results import Examples, SystemComparison
from assay.types import TestSet

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """The examples of saved comparisons."""
    comparisons = [each for each in report.of(SystemComparison) if not isinstance(each.inputs, TestSet)]
    found = [each for comparison in comparisons for each in comparison.contrasts if isinstance(each, Examples)]
    if found:
        yield PageSection(
            "examples",
            "Examples",
            "Where do they differ most?",
            sections_html(map(contrast_section, found), caption="Examples"),
            part="Systems",
        )
