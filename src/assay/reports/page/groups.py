"""Parts of the test set: domains, documents, lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from assay.labels.metrics import AGGREGATIONS, dots_legend, metric_label
from assay.reports.blocks import Block, Fold, Heading, PageSection, PageTable
from assay.reports.cells import Cell, Count, Flag, Number, Text, cell_text
from assay.reports.documents import Caption, Grid, Section, columns
from assay.reports.page.report import Report
from assay.reports.page.tables import tables
from assay.reports.system_comparison import contrast_section
from assay.results import Examples, GroupDifference, GroupDifferences, MetricScores, Run, Scores, SystemComparison
from assay.results.order import best_value
from assay.types import TestSet
from assay.types.note import plural
from assay.words.compared_pair import pair_verdict
from assay.words.statement import Name

__all__ = ["build", "examples"]

_MOST_ROWS = 30  # of documents there may be hundreds
_FEW = 5  # a document with fewer segments is folded: its score is that of a sentence or two
_TITLES: dict[str, dict[str, Any]] = {
    "aggregation": {"title": "Aggregation"},
    "n": {"title": "Segments"},
    "first_score": {"role": "first"},
    "second_score": {"role": "second"},
    "better_by": {"title": "Better by", "lane": "Better by"},
}
"""What a page writes above the columns of a table of groups."""


def build(report: Report) -> Iterator[PageSection]:
    """The differences of comparisons by groups of segments, else the scores of runs."""
    comparisons = report.of(SystemComparison)
    differences = tuple(block for comparison in comparisons for block in _differences(comparison))
    blocks = differences or tables(_scores(report), "Parts of the test set")
    if blocks:
        heading = "Where do they differ?" if comparisons else "Scores by part of the test set"
        lede = "Small parts of a test set say little."
        yield PageSection("groups", "Where", heading, blocks, lede, part="Systems")


def examples(report: Report) -> Iterator[PageSection]:
    """Segments in which two systems differ most, of comparisons whose texts are not at hand for the viewer."""
    comparisons = [each for each in report.of(SystemComparison) if not isinstance(each.inputs, TestSet)]
    found = [each for comparison in comparisons for each in comparison.contrasts if isinstance(each, Examples)]
    if found:
        blocks = tables(map(contrast_section, found), "Examples")
        yield PageSection("examples", "Examples", "Where do they differ most?", blocks, part="Systems")


def _differences(comparison: SystemComparison) -> Iterator[Block]:
    """Those of the pair that the verdict is about, drawn; those of the other pairs are folded."""
    found = pair_verdict(comparison)
    for contrast in comparison.parts(found.first, found.second):
        yield from _drawn(contrast)
    others = [
        contrast_section(each)
        for each in comparison.contrasts
        if isinstance(each, GroupDifferences) and {each.first, each.second} != {found.first, found.second}
    ]
    if others:
        summary = f"The other pairs ({plural(len(others), 'table')})"
        yield Fold((summary,), tables(others, "Other pairs"), style="other-pairs")


def _drawn(contrast: GroupDifferences) -> Iterator[Block]:
    """The table of a metric, with the differences drawn on one scale; documents of few segments are folded below."""
    first, second, label = Name(contrast.first, "a"), Name(contrast.second, "b"), metric_label(contrast.metric)
    dots = dots_legend(group.aggregation for group in contrast.groups)
    yield Heading(
        (first, " and ", second, f" by part of the test set, {label}"),
        (
            *("Right of zero favours ", first, ", left of it ", second),
            f". {dots}." if dots else ".",
        ),
    )
    few = tuple(group for group in contrast.groups if _has_few(group))
    for own in sorted(_tables(contrast), key=len):
        table = _group_table(replace(contrast, groups=own), f"{own[0].grouping.capitalize()} by {label}")
        is_long = len(table.grid.rows) > _MOST_ROWS
        yield Fold((f"The largest differences by {own[0].grouping}",), (table,)) if is_long else table
    if few:
        words = f"{plural(len({group.label for group in few}), 'document')} with fewer than {_FEW} segments"
        yield Fold((words,), (_group_table(replace(contrast, groups=few), f"{words} by {label}"),))


def _tables(contrast: GroupDifferences) -> list[tuple[GroupDifference, ...]]:
    """The groups of each grouping, without documents of few segments."""
    tables: dict[str, list[GroupDifference]] = {}
    for group in contrast.groups:
        if not _has_few(group):
            tables.setdefault(group.grouping, []).append(group)
    return list(map(tuple, tables.values()))


def _has_few(group: GroupDifference) -> bool:
    return group.grouping == "document" and group.n < _FEW


def _group_table(contrast: GroupDifferences, caption: str) -> PageTable:
    grid = contrast_section(contrast).grids[0]
    grouping = contrast.groups[0].grouping
    prefix, titles = f"{grouping}:", _TITLES | {"group": {"title": grouping.capitalize()}}
    columns = tuple(replace(column, **titles.get(column.name, {})) for column in grid.columns)
    captions = (*grid.captions, Caption("parts are not tested, and have no intervals"))
    shown = replace(grid, columns=columns, rows=tuple(_row(grid, row, prefix) for row in grid.rows), captions=captions)
    return PageTable(shown, caption, style="lanes")


def _row(grid: Grid, row: tuple[Cell, ...], prefix: str) -> tuple[Cell, ...]:
    """The part without the grouping, the aggregation in words, and the difference drawn by it."""
    cells = {column.name: cell for column, cell in zip(grid.columns, row, strict=True)}
    aggregation = cell_text(cells["aggregation"])
    cells["group"] = Text(cell_text(cells["group"]).removeprefix(prefix))
    cells["aggregation"] = Text(AGGREGATIONS.get(aggregation, aggregation))
    difference = cells["better_by"]
    if aggregation != "corpus" and isinstance(difference, Number):
        cells["better_by"] = replace(difference, flags=difference.flags | {Flag.SEGMENT_MEAN})
    return tuple(cells.values())


def _scores(report: Report) -> Iterator[Section]:
    for run in report.of(Run):
        for spec, metric in run.metrics.items():
            groups = [scores for scores in metric.groups if scores.aggregation == metric.headline.aggregation]
            if groups:
                title = f"{metric_label(spec)}, {metric.headline.aggregation} score"
                yield Section((_grid(run, metric, groups),), title=title)


def _grid(run: Run, metric: MetricScores, groups: list[Scores]) -> Grid:
    """A row for each group, a column for each system."""
    decimals = metric.decimals
    rows: list[tuple[Cell, ...]] = []
    for scores in groups[:_MOST_ROWS]:
        best = best_value(scores.values(), higher_is_better=metric.higher_is_better)
        numbers = (
            Number(each.value, decimals, reason=each.reason, flags=frozenset({Flag.BEST} if each.value == best else ()))
            for each in scores.estimates.values()
        )
        n = max(estimate.n for estimate in scores.estimates.values())
        rows.append((Text(scores.group or ""), Count(n), *numbers))
    hidden = len(groups) - len(rows)
    captions = (Caption(f"{hidden} more parts are left out; files have all of them"),) if hidden else ()
    return Grid(columns(("part", "segments", *run.systems)), tuple(rows), captions)
