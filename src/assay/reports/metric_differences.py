"""Tests between metrics: ranks beside the values of a table, and the matrix of p-values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assay.reports.cells import BLANK, Cell, Flag, Number, PValue, Text, cell_text
from assay.reports.documents import Caption, Column, Grid, Section, columns
from assay.results import MetricDifferences
from assay.types.note import listed

__all__ = ["p_value_section", "verdict", "with_ranks"]

_WINNER = "*"
_MAX_NAMES = 3
_MAX_PAIRS = 3
"""With more language pairs than this, the sentences on each of them give way to one on all."""


def with_ranks(grid: Grid, tests: Sequence[MetricDifferences | None]) -> Grid:
    """A grid of metrics with a column of ranks after every column that has tests.

    The last label of a row is its metric. A star marks the winners: metrics that no other metric is significantly
    better than.
    """
    if not any(tests):
        return grid
    header, rows = [], [list[Cell]() for _ in grid.rows]
    for k, (column, test) in enumerate(zip(grid.columns, tests, strict=True)):
        header += [column] if test is None else _with_rank(column)
        for row, cells in zip(rows, grid.rows, strict=True):
            label = cells[grid.labels - 1]
            row += [cells[k]] if test is None else [_tested(test, label, cells[k]), _rank(test, label)]
    present = [test for test in tests if test is not None]
    captions = (*dict.fromkeys(map(_caption, present)), *_verdicts(present))
    return replace(grid, columns=tuple(header), rows=tuple(map(tuple, rows)), captions=(*grid.captions, *captions))


def _verdicts(tests: Sequence[MetricDifferences]) -> Iterator[Caption]:
    """On the average over language pairs; where it has no test on each of them, or in sum if these are many."""
    headline = [test for test in tests if test.lp is None] or tests
    shown = [test for test in headline if len(test.metrics) > 1]
    if len({test.lp for test in shown}) <= _MAX_PAIRS:
        yield from map(verdict, shown)
    else:
        kinds = dict.fromkeys(test.outliers for test in shown)
        yield from (_most_wins([test for test in shown if test.outliers == kind]) for kind in kinds)


def _most_wins(tests: Sequence[MetricDifferences]) -> Caption:
    """The metrics that are most often winners."""
    wins = Counter(name for test in tests for name in test.winners).most_common(_MAX_NAMES)
    without = "without outliers: " if tests[0].outliers == "dropped" else ""
    counts = ", ".join(["{} on {}"] * len(wins))
    template = f"{without}no metric is significantly better than {counts} of {{}} language pairs"
    return Caption(template, tuple(Text(str(each)) for each in (*chain.from_iterable(wins), len(tests))))


def verdict(test: MetricDifferences) -> Caption:
    """Whether the metric with the highest value is better than the others, in a sentence."""
    best, *others = test.metrics
    worse = [name for name, is_worse in zip(others, test.significant[0, 1:].tolist(), strict=True) if is_worse]
    undecided = [name for name in others if name not in worse]
    found = f" (p = {cell_text(PValue(test.p_value(best, others[0])))})" if len(others) == 1 else ""
    where, names = Text(_where(test)), (Text(best), Text(listed(worse)), Text(listed(undecided)))
    if not undecided:
        than = "{}" if len(worse) <= _MAX_NAMES else "every other metric"
        template = f"{{}}: {{}} agrees significantly better with the human scores than {than}{found}"
        return Caption(template, (where, *names[: template.count("{}") - 1]))
    if not worse:
        template = f"{{}}: {{}} has the highest value, but is not significantly better than {{}}{found}"
        return Caption(template, (where, names[0], names[2]))
    template = "{}: {} agrees significantly better with the human scores than {}, but not than {}"
    return Caption(template, (where, *names))


def _where(test: MetricDifferences) -> str:
    place = test.lp or "average over language pairs"
    return f"{place} without outliers" if test.outliers == "dropped" else place


def _with_rank(column: Column) -> list[Column]:
    """A column and that of its ranks, as one group."""
    group = column.group or column.title
    value = replace(column, group=group, short=column.short or "value")
    return [value, Column("tested rank", group=group, short="rank")]


def _tested(test: MetricDifferences, label: Cell, value: Cell) -> Cell:
    """A value, flagged if no metric is significantly better although it is not the highest."""
    is_winner = isinstance(label, Text) and label.text in test.winners and test.is_tested(label.text)
    if not isinstance(value, Number) or not is_winner or Flag.BEST in value.flags:
        return value
    return replace(value, flags=value.flags | {Flag.AMONG_BEST})


def _rank(test: MetricDifferences, label: Cell) -> Cell:
    name = label.text if isinstance(label, Text) else ""
    if not test.is_tested(name):
        return BLANK
    is_winner = name in test.winners
    text = f"{test.rank_of(name)}{_WINNER if is_winner else ' '}"
    return Text(text, frozenset({Flag.BEST}) if is_winner else frozenset())


def _caption(test: MetricDifferences) -> Caption:
    corrected = "" if test.correction == "none" else f" after {test.correction}"
    template = (
        f"tested rank: {{}}, p <= {{}}{corrected}; {_WINNER} no metric is significantly better. Null hypothesis: {{}}"
    )
    return Caption(template, (Text(test.test), Text(f"{test.alpha:g}"), Text(test.null)))


def p_value_section(test: MetricDifferences) -> Section:
    """The p-values of all pairs, the best metric first."""
    title = "p: row better than column" if test.sides == "one" else "p: row and column differ (two-sided)"
    return Section((Grid(columns((title, "value", *test.metrics)), tuple(_rows(test))),), _where(test))


def _rows(test: MetricDifferences) -> Iterator[tuple[Cell, ...]]:
    for name, value, row in zip(test.metrics, test.values.tolist(), test.p_values.tolist(), strict=True):
        yield Text(name), Number(value, 3), *map(PValue, row)
