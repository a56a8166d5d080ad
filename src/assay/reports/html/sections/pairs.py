"""All pairs of systems: a matrix for each metric and aggregation, or the differences from the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.reports import document
from assay.reports.cells import BLANK, Text
from assay.reports.documents import Grid, Section, columns
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.labels import metric_label
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import p_text, sections_html
from assay.reports.html.verdict.statement import signed
from assay.reports.html.verdict.systems import compared_pair, pair_verdict, score_label
from assay.results import ComparedMetric, ComparedPair, SystemComparison
from assay.types.note import plural

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["build"]

_MOST_HISTOGRAMS = 2


@dataclass(frozen=True, slots=True)
class _MatrixCell:
    text: str
    look: str = ""
    words: str = ""


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
        has_matrix = comparison.baseline is None and len(comparison.metrics[0].pairs) > 1
        table = _matrices(comparison, f"matrix{suffix}") if has_matrix else _tables(comparison)
        yield PageSection(
            f"pairs{suffix}",
            "Pairs" if not suffix else f"Pairs {number}",
            "Which differences are more than chance?",
            render("templates/section.html", blocks=[table, *_histograms(comparison)]),
            lede=_lede(comparison),
            part="Systems",
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


def _tables(comparison: SystemComparison) -> Markup:
    sections = [section for section in document(comparison).sections if section.grids][: len(comparison.metrics)]
    if len(comparison.metrics[0].pairs) == 1:
        sections = [Section((_one_grid(comparison, [section.grids[0] for section in sections]),))]
    return sections_html(sections, caption="Differences between systems")


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


def _matrices(comparison: SystemComparison, name: str) -> Markup:
    alpha, correction = float(comparison.settings["alpha"]), comparison.settings["correction"]
    pair = comparison.metrics[0].pairs[0]
    corrected = (
        "p-values are not corrected"
        if correction == "none"
        else f"p-values are corrected for the {len(comparison.metrics[0].pairs)} pairs of each matrix ({correction})"
    )
    note = (
        f"{pair.test}, {pair.n:,} {comparison.settings['unit']}s; {corrected}; a difference is shown where p < "
        f"{alpha:g}. "
        "Systems are in the order of their scores; lines part clusters of systems not shown to differ."
    )
    matrices = [_matrix(metric, alpha) for metric in comparison.metrics]
    return render("templates/matrices.html", name=name, matrices=matrices, note=note)


def _matrix(metric: ComparedMetric, alpha: float) -> _Matrix:
    sign = 1 if metric.higher_is_better else -1
    order = sorted(metric.scores, key=lambda name: -sign * metric.scores[name].value)
    rows = []
    for i, row in enumerate(order):
        rows.append(tuple(_cell(metric, row, column, alpha, i, j) for j, column in enumerate(order)))
    clusters = tuple(metric.clusters.get(name) for name in order)
    return _Matrix(score_label(metric), tuple(order), clusters, tuple(rows))


def _cell(metric: ComparedMetric, row: str, column: str, alpha: float, i: int, j: int) -> _MatrixCell:
    """Above the diagonal the difference, below it the p-value of the same pair."""
    if i == j:
        return _MatrixCell("", "diagonal")
    pair, is_reversed = compared_pair(metric, row, column)
    is_shown = pair.shows_difference(alpha)
    if i > j:
        return _MatrixCell(p_text(pair.p_corrected), "p shown" if is_shown else "p", _words(metric, pair))
    difference = -pair.difference.value if is_reversed else pair.difference.value
    look = ("a" if metric.is_better(pair) != is_reversed else "b") if is_shown else ""
    return _MatrixCell("–" if math.isnan(difference) else signed(difference), look, _words(metric, pair))


def _words(metric: ComparedMetric, pair: ComparedPair) -> str:
    """The pair in full, for the tooltip and for screen readers."""
    difference = pair.difference
    if math.isnan(difference.value):
        return f"{pair.first} minus {pair.second}: {difference.reason or 'undefined'}"
    interval = "" if math.isnan(difference.low) else f", interval {signed(difference.low)} to {signed(difference.high)}"
    shown = f"{signed(difference.value)}{interval}, p {p_text(pair.p_corrected)}"
    return f"{pair.first} minus {pair.second}, {score_label(metric)}: {shown}"
