"""Results that no other section shows: their tables."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.page import PageSection, Report
from assay.reports.html.sections.result_section import result_section
from assay.results import (
    Calibration,
    Decisions,
    MetaEvaluation,
    MetricsTask,
    PairRankings,
    Ranking,
    Reproduction,
    RobustnessTable,
    Run,
    SystemComparison,
)

__all__ = ["build"]

_SHOWN = (
    Calibration,
    Decisions,
    MetaEvaluation,
    MetricsTask,
    PairRankings,
    Ranking,
    Reproduction,
    RobustnessTable,
    Run,
    SystemComparison,
)


def build(report: Report) -> Iterator[PageSection]:
    """A section for each result of another type."""
    results = [result for result in report.results if not isinstance(result, _SHOWN)]
    for number, result in enumerate(results, 1):
        name = type(result).__name__
        yield result_section(result, id=f"{name.lower()}-{number}", link=name, heading=name, part="More")
