"""The page of one or more results: sections of blocks, built from the results, in the order of the page.

A section is built by a function `build(report) -> Iterator[PageSection]`. It yields nothing if the results have nothing
for it.
"""

from __future__ import annotations

from dataclasses import replace

from assay.reports.blocks import Page
from assay.reports.page import behind, groups, metrics, notice, pairs, papers, people, scores, segments, verdict
from assay.reports.page.report import Report, collected
from assay.results.private_paths import command_without_private_paths, without_private_paths

__all__ = ["Report", "collected", "page"]

_SECTIONS = (
    verdict.build,
    scores.build,
    pairs.build,
    notice.build,
    groups.build,
    segments.build,
    groups.examples,
    people.build,
    metrics.agreement,
    metrics.robustness,
    metrics.calibrations,
    metrics.decisions,
    papers.build,
    metrics.others,
    behind.checks,
    behind.reproduce,
)


def page(report: Report) -> Page:
    """All sections of a report. A page is passed on: it has no private paths."""
    report = replace(without_private_paths(report), commands=tuple(map(command_without_private_paths, report.commands)))
    sections = tuple(section for build in _SECTIONS for section in build(report))
    return Page(report.title or "Assay report", sections)
