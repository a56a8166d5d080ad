"""Parts of the test set: domains, documents, lengths."""

from __future__ import annotations

from collections.abc import Iterator

from assay.charts.metric_label import metric_label
from assay.reports.cells import Cell, Count, Flag, Number, Text
from assay.reports.compare import contrast_section
from assay.reports.documents import Caption, Grid, Section, columns
from assay.reports.html.page import PageSection, Report
from assay.reports.html.tables import sections_html
from assay.results import GroupDifferences, MetricScores, Run, Scores, SystemComparison
from assay.results.estimate import decimals_for

__all__ = ["build"]

_MOST_ROWS = 30  # of documents there may be hundreds


def build(report: Report) -> Iterator[PageSection]:
    """The differences of comparisons by groups of segments, else the scores of runs."""
    sections = list(_differences(report)) or list(_scores(report))
    if sections:
        yield PageSection(
            "groups",
            "Where",
            "Where do they differ?" if report.of(SystemComparison) else "Scores by part of the test set",
            sections_html(sections, caption="Parts of the test set"),
            lede="Small parts of a test set say little.",
            part="Systems",
        )


def _differences(report: Report) -> Iterator[Section]:
    for comparison in report.of(SystemComparison):
        for contrast in comparison.contrasts:
            if isinstance(contrast, GroupDifferences):
                yield contrast_section(contrast)


def _scores(report: Report) -> Iterator[Section]:
    for run in report.of(Run):
        for spec, metric in run.metrics.items():
            groups = [scores for scores in metric.groups if scores.aggregation == metric.headline.aggregation]
            if groups:
                title = f"{metric_label(spec)}, {metric.headline.aggregation} score"
                yield Section((_grid(run, metric, groups),), title=title)


def _grid(run: Run, metric: MetricScores, groups: list[Scores]) -> Grid:
    """A row for each group, a column for each system."""
    decimals = decimals_for(metric.headline.values())
    rows: list[tuple[Cell, ...]] = []
    for scores in groups[:_MOST_ROWS]:
        defined = [value for value in scores.values() if value == value]
        best = (max if metric.higher_is_better else min)(defined, default=None)
        numbers = (
            Number(each.value, decimals, reason=each.reason, flags=frozenset({Flag.BEST} if each.value == best else ()))
            for each in scores.estimates.values()
        )
        n = max(estimate.n for estimate in scores.estimates.values())
        rows.append((Text(scores.group or ""), Count(n), *numbers))
    hidden = len(groups) - len(rows)
    captions = (Caption(f"{hidden} more parts are left out; files have all of them"),) if hidden else ()
    return Grid(columns(("part", "segments", *run.systems)), tuple(rows), captions)
