"""Tests between metrics: ranks beside the values of a table, and the matrix of p-values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.reports.cells import BLANK, Cell, Flag, Number, PValue, Text
from assay.reports.documents import Caption, Column, Grid, Section, columns
from assay.results import MetricDifferences

__all__ = ["p_value_section", "with_ranks"]

_WINNER = "*"


def with_ranks(grid: Grid, tests: Sequence[MetricDifferences | None]) -> Grid:
    """A grid of metrics with a column of ranks after every column that has tests.

    The last label of a row is its metric. A star marks the winners: metrics that no other metric is significantly
    better than.
    """
    if not any(tests):
        return grid
    header, rows = [], [list[Cell]() for _ in grid.rows]
    for k, (column, test) in enumerate(zip(grid.columns, tests, strict=True)):
        header += [column] if test is None else [column, Column("tested rank")]
        for row, cells in zip(rows, grid.rows, strict=True):
            row += [cells[k]] if test is None else [cells[k], _rank(test, cells[grid.labels - 1])]
    captions = dict.fromkeys(_caption(test) for test in tests if test is not None)
    return replace(grid, columns=tuple(header), rows=tuple(map(tuple, rows)), captions=(*grid.captions, *captions))


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
    where = test.lp or "average over language pairs"
    without = " without outliers" if test.outliers == "dropped" else ""
    title = "p: row better than column" if test.sides == "one" else "p: row and column differ (two-sided)"
    return Section((Grid(columns((title, "value", *test.metrics)), tuple(_rows(test))),), f"{where}{without}")


def _rows(test: MetricDifferences) -> Iterator[tuple[Cell, ...]]:
    for name, value, row in zip(test.metrics, test.values.tolist(), test.p_values.tolist(), strict=True):
        yield Text(name), Number(value, 3), *map(PValue, row)
