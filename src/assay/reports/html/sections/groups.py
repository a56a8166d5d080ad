"""Parts of the test set: domains, documents, lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.comparison.parts import part_differences
from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.reports.cells import Cell, Count, Flag, Number, Text
from assay.reports.compare import contrast_section
from assay.reports.documents import Caption, Grid, Section, columns
from assay.reports.html.lanes import Lane, interval_scale, marks
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import Header, Table, TableCell, cell, sections_html, table_html
from assay.reports.layout import caption_text
from assay.results import GroupDifferences, MetricScores, Run, Scores, SystemComparison
from assay.results.estimate import decimals_for
from assay.words.compared_pair import pair_verdict

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["build"]

_LANE = 200
_MOST_ROWS = 30  # of documents there may be hundreds


def build(report: Report) -> Iterator[PageSection]:
    """The differences of comparisons by groups of segments, else the scores of runs."""
    differences = [each for comparison in report.of(SystemComparison) for each in _differences(comparison)]
    scores = list(_scores(report))
    if differences or scores:
        yield PageSection(
            "groups",
            "Where",
            "Where do they differ?" if report.of(SystemComparison) else "Scores by part of the test set",
            render("templates/section.html", blocks=differences)
            if differences
            else sections_html(scores, caption="Parts of the test set"),
            lede="Small parts of a test set say little.",
            part="Systems",
        )


def _differences(comparison: SystemComparison) -> Iterator[Markup]:
    """Those of the pair that the verdict is about, drawn; those of the other pairs are folded."""
    found = pair_verdict(comparison)
    yield from map(_drawn, part_differences(comparison, found.first, found.second))
    others = [
        contrast_section(each)
        for each in comparison.contrasts
        if isinstance(each, GroupDifferences) and {each.first, each.second} != {found.first, found.second}
    ]
    if others:
        yield render("templates/others.html", count=len(others), html=sections_html(others, caption="Other pairs"))


def _drawn(contrast: GroupDifferences) -> Markup:
    """The table of a metric, with the differences drawn on one scale."""
    grid = contrast_section(contrast).grids[0]
    numbers = [number for row in grid.rows if isinstance(number := row[-1], Number)]
    scale = interval_scale(numbers, _LANE, needs_intervals=False)
    groupings = list(dict.fromkeys(group.grouping for group in contrast.groups))
    headers = [
        Header(groupings[0].capitalize() if len(groupings) == 1 else "Part", is_label=True),
        Header("Aggregation", is_label=True),
        Header("Segments"),
        Header(contrast.first),
        Header(contrast.second),
        Header("Better by"),
    ]
    rows = [[cell(content) for content in row] for row in grid.rows]
    for row in rows:
        aggregation = AGGREGATIONS.get(row[1].text, row[1].text)
        row[1] = replace(row[1], text=aggregation, classes="muted")
        if len(groupings) == 1:
            row[0] = replace(row[0], text=row[0].text.removeprefix(f"{groupings[0]}:"))
    if scale is not None:
        headers.append(Header("drawn", scale=scale))
        for row, number in zip(rows, numbers, strict=True):
            mark = marks((number,), ("" if row[1].text == AGGREGATIONS["corpus"] else "hollow",), scale)
            row.append(TableCell(lane=Lane(scale.width, mark, zero=scale.zero), classes="lane"))
    label = metric_label(contrast.metric)
    notes = (*map(caption_text, grid.captions), "Parts are not tested, and have no intervals.")
    table = Table(
        f"Parts of the test set by {label}", tuple(headers), tuple(map(tuple, rows)), notes=notes, look="lanes"
    )
    return render(
        "templates/parts.html", first=contrast.first, second=contrast.second, label=label, table=table_html(table)
    )


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
