"""All pairs of systems: a matrix for each metric and aggregation, or the differences from the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from assay.charts.metric_label import AGGREGATIONS, metric_label
from assay.reports import document
from assay.reports.cells import BLANK, UNDEFINED, Text
from assay.reports.documents import Grid, columns
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.pair_details import PairDetails
from assay.reports.html.segments import viewer_of
from assay.reports.html.tables import Header, Table, TableCell, grid_html, p_text, table_html
from assay.reports.html.verdict.people import CLUSTERS
from assay.reports.html.verdict.statement import signed
from assay.reports.html.verdict.systems import compared_pair, pair_verdict, score_label
from assay.results import ComparedMetric, ComparedPair, SystemComparison
from assay.types.note import plural

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["SHOWS", "build"]

SHOWS = (SystemComparison,)
_MOST_HISTOGRAMS = 2


@dataclass(frozen=True, slots=True)
class _MatrixCell:
    text: str
    look: str = ""
    words: str = ""
    pair: int | None = None
    """The number of the pair among the details."""


@dataclass(frozen=True, slots=True)
class _Matrix:
    name: str
    systems: tuple[str, ...]
    clusters: tuple[int | None, ...]
    rows: tuple[tuple[_MatrixCell, ...], ...]


def build(report: Report) -> Iterator[PageSection]:
    """A section for each comparison."""
    comparisons = report.of(SystemComparison)
    for number, comparison in enumerate(comparisons, 1):
        suffix = f"-{number}" if len(comparisons) > 1 else ""
        name = f"matrix{suffix}"
        details = PairDetails(comparison, viewer_of(comparison, report.results), report.commands)
        if len(comparison.metrics[0].pairs) == 1:
            table = _single_pair(comparison)
        elif comparison.baseline is None:
            table = _matrices(details, name)
        else:
            table = _against_baseline(details, name)
        yield PageSection(
            f"pairs{suffix}",
            "Pairs" if not suffix else f"Pairs {number}",
            "Which differences are more than chance?",
            render("templates/section.html", blocks=[table, *_histograms(comparison)]),
            lede=_lede(comparison),
            part="Systems",
            data={f"{name}-data": details.tree} if len(comparison.metrics[0].pairs) > 1 else {},
        )


def _histograms(comparison: SystemComparison) -> list[Markup]:
    """How the differences of single segments are distributed, for the pair of the verdict."""
    found = pair_verdict(comparison)
    systems = {"first": found.first, "second": found.second}
    metrics = list(dict.fromkeys(metric.metric for metric in comparison.metrics))[:_MOST_HISTOGRAMS]
    wanted = [Wanted("segment-differences", HALF, {**systems, "metric": metric}) for metric in metrics]
    return figures_html(figures(wanted, comparison))


def _lede(comparison: SystemComparison) -> str:
    alpha = float(comparison.settings["alpha"])
    shown = {metric.name: sum(pair.shows_difference(alpha) for pair in metric.pairs) for metric in comparison.metrics}
    total = len(comparison.metrics[0].pairs)
    if total == 1:
        return f"A difference is shown by {sum(shown.values())} of {plural(len(shown), 'score')}."
    counts = ", ".join(f"{score_label(metric)} {shown[metric.name]}" for metric in comparison.metrics)
    return f"Pairs for which a difference is shown, of {total}: {counts}."


def _single_pair(comparison: SystemComparison) -> Markup:
    grids = _grids(comparison)
    return grid_html(_one_grid(comparison, grids), caption="Differences between systems")


def _grids(comparison: SystemComparison) -> list[Grid]:
    """The tables of the differences, one for each metric and aggregation."""
    sections = [section for section in document(comparison).sections if section.grids]
    return [section.grids[0] for section in sections[: len(comparison.metrics)]]


def _against_baseline(details: PairDetails, name: str) -> Markup:
    """One table of all differences from the baseline, and behind it all that is known of each."""
    comparison = details.comparison
    grids = zip(comparison.metrics, _grids(comparison), strict=True)
    return render(
        "templates/baseline.html",
        name=name,
        baseline=comparison.baseline,
        table=table_html(_overview(details)),
        panels=[(score_label(metric), _without_baseline(metric, grid)) for metric, grid in grids],
        note=_test_note(comparison, "of each score"),
    )


def _overview(details: PairDetails) -> Table:
    """A row for each system and a column for each metric and aggregation."""
    comparison = details.comparison
    metrics = comparison.metrics
    groups = [("", "", 1)]
    for label, members in groupby(metrics, key=lambda metric: metric_label(metric.metric)):
        found = list(members)
        groups.append((label, "" if found[0].higher_is_better else "lower is better", len(found)))
    headers = [
        Header("System", is_label=True),
        *(Header(AGGREGATIONS.get(each.aggregation, each.aggregation)) for each in metrics),
    ]
    order = sorted(metrics[0].pairs, key=lambda pair: pair.difference.value, reverse=metrics[0].higher_is_better)
    rows = []
    for first in (pair.first for pair in order):
        pairs = ((metric, compared_pair(metric, first, str(comparison.baseline))[0]) for metric in metrics)
        rows.append((TableCell(first), *(_outcome(details, metric, pair) for metric, pair in pairs)))
    caption = f"Differences from {comparison.baseline}"
    return Table(caption, tuple(headers), tuple(rows), tuple(groups), is_sortable=True, look="outcomes")


def _outcome(details: PairDetails, metric: ComparedMetric, pair: ComparedPair) -> TableCell:
    """The difference, and the p-value in small letters."""
    value = pair.difference.value
    look = ("a" if metric.is_better(pair) else "b") if pair.shows_difference(details.alpha) else ""
    return TableCell(
        UNDEFINED if math.isnan(value) else signed(value),
        p_text(pair.p_corrected),
        _words(metric, pair),
        f"number {look}".strip(),
        None if math.isnan(value) else value,
        pair=details.number(metric, pair.first, pair.second),
    )


def _without_baseline(metric: ComparedMetric, grid: Grid) -> Markup:
    """The table of a score with the difference first, and without what is the same in all rows."""
    places = [0, 4, 5, 2, *range(6, len(grid.columns))]
    titles = ["system", *(grid.columns[place].title for place in places[1:])]
    rows = tuple(tuple(row[place] for place in places) for row in grid.rows)
    shown = Grid(columns(titles), rows, grid.captions)
    return grid_html(shown, caption=f"Differences by {score_label(metric)}", is_sortable=True)


def _one_grid(comparison: SystemComparison, grids: list[Grid]) -> Grid:
    """The grids of a single pair of systems as one: a row for each metric and aggregation."""
    pair = comparison.metrics[0].pairs[0]
    labels = [(Text(metric_label(metric.metric)), Text(metric.aggregation)) for metric in comparison.metrics]
    widest = max((grid.columns for grid in grids), key=len)  # some metrics have a calibration
    rows = tuple(
        (*label, *grid.rows[0][2:], *[BLANK] * (len(widest) - len(grid.columns)))
        for label, grid in zip(labels, grids, strict=True)
    )
    titles = ["metric", "", pair.first, pair.second, *(column.title for column in widest[4:])]
    captions = dict.fromkeys(caption for grid in grids for caption in grid.captions)
    return Grid(columns(titles, labels=2), rows, tuple(captions))


def _matrices(details: PairDetails, name: str) -> Markup:
    note = (
        f"{_test_note(details.comparison, 'of each matrix')} "
        f"Systems are in the order of their scores; lines part clusters. {CLUSTERS}"
    )
    matrices = [_matrix(details, metric) for metric in details.comparison.metrics]
    return render("templates/matrices.html", name=name, matrices=matrices, note=note)


def _test_note(comparison: SystemComparison, of: str) -> str:
    """The test, the correction and from where on a difference is shown."""
    alpha, correction = float(comparison.settings["alpha"]), comparison.settings["correction"]
    pairs = comparison.metrics[0].pairs
    corrected = (
        "p-values are not corrected"
        if correction == "none"
        else f"p-values are corrected for the {len(pairs)} pairs {of} ({correction})"
    )
    n = f"{pairs[0].n:,} {comparison.settings['unit']}s"
    return f"{pairs[0].test}, {n}; {corrected}; a difference is shown where p < {alpha:g}."


def _matrix(details: PairDetails, metric: ComparedMetric) -> _Matrix:
    sign = 1 if metric.higher_is_better else -1
    order = sorted(metric.scores, key=lambda name: -sign * metric.scores[name].value)
    rows = []
    for i, row in enumerate(order):
        below = [_p_cell(details, metric, column, row) for column in order[:i]]
        above = [_difference_cell(details, metric, row, column) for column in order[i + 1 :]]
        rows.append((*below, _MatrixCell("", "diagonal"), *above))
    clusters = tuple(metric.clusters.get(name) for name in order)
    return _Matrix(score_label(metric), tuple(order), clusters, tuple(rows))


def _difference_cell(details: PairDetails, metric: ComparedMetric, row: str, column: str) -> _MatrixCell:
    """Above the diagonal: the difference of the pair."""
    pair, is_reversed = compared_pair(metric, row, column)
    difference = -pair.difference.value if is_reversed else pair.difference.value
    is_shown = pair.shows_difference(details.alpha)
    look = ("a" if metric.is_better(pair) != is_reversed else "b") if is_shown else ""
    text = UNDEFINED if math.isnan(difference) else signed(difference)
    return _MatrixCell(text, look, _words(metric, pair), details.number(metric, row, column))


def _p_cell(details: PairDetails, metric: ComparedMetric, first: str, second: str) -> _MatrixCell:
    """Below the diagonal: the p-value of the same pair."""
    pair, _ = compared_pair(metric, first, second)
    look = "p shown" if pair.shows_difference(details.alpha) else "p"
    return _MatrixCell(p_text(pair.p_corrected), look, pair=details.number(metric, first, second))


def _words(metric: ComparedMetric, pair: ComparedPair) -> str:
    """The pair in full, for the tooltip."""
    difference = pair.difference
    if math.isnan(difference.value):
        return f"{pair.first} minus {pair.second}: {difference.reason or 'undefined'}"
    interval = "" if math.isnan(difference.low) else f", interval {signed(difference.low)} to {signed(difference.high)}"
    shown = f"{signed(difference.value)}{interval}, p {p_text(pair.p_corrected)}"
    return f"{pair.first} minus {pair.second}, {score_label(metric)}: {shown}"
