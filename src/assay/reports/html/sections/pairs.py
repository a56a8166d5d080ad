"""All pairs of systems: a matrix for each metric and aggregation, or the differences from the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.labels.numbers import difference_decimals, difference_text, number, p_text
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.pair_details import PairDetails
from assay.reports.html.pair_tables import baseline_table, note_on_test, single_pair_table
from assay.reports.html.section_names import distinct_names, numbered, pairs_data
from assay.reports.html.segments import viewer_of
from assay.reports.html.tables import Header, Table, TableCell, table_html
from assay.results import ComparedMetric, ComparedPair, SystemComparison
from assay.types.note import plural
from assay.words.compared_pair import pair_verdict, score_label
from assay.words.people import CLUSTERS

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["SHOWS", "build"]

SHOWS = (SystemComparison,)
_MOST_HISTOGRAMS = 2


@dataclass(frozen=True, slots=True)
class _MatrixCell:
    text: str
    look: str = ""
    pair: int | None = None
    """The number of the pair among the details."""


@dataclass(frozen=True, slots=True)
class _Matrix:
    name: str
    systems: tuple[str, ...]
    clusters: tuple[int | None, ...]
    rows: tuple[tuple[_MatrixCell, ...], ...]

    @property
    def has_clusters(self) -> bool:
        """Whether the systems fall into several."""
        return len(set(self.clusters)) > 1


def build(report: Report) -> Iterator[PageSection]:
    """A section for each comparison."""
    comparisons = report.of(SystemComparison)
    labels = distinct_names([comparison.inputs for comparison in comparisons])
    for place, (comparison, label) in enumerate(zip(comparisons, labels, strict=True)):
        name = f"matrix{numbered(place)}"
        details = PairDetails(comparison, viewer_of(comparison, report.results), report.commands)
        if len(comparison.metrics[0].pairs) == 1:
            note = note_on_test(comparison)
            table = render("templates/single_pair.html", table=single_pair_table(comparison), note=note)
        elif comparison.baseline is None:
            table = _matrices(details, name)
        else:
            table = _against_baseline(details, name)
        yield PageSection(
            f"pairs{numbered(place)}",
            f"Pairs {label}".strip(),
            "Which differences are more than chance?",
            render("templates/section.html", blocks=[table, *_histograms(comparison)]),
            lede=_lede(comparison),
            eyebrow=label,
            part="Systems",
            data={pairs_data(place): details.tree},
        )


def _histograms(comparison: SystemComparison) -> list[Markup]:
    """How the differences of single segments are distributed, for the pair of the verdict."""
    found = pair_verdict(comparison)
    systems = {"first": found.first, "second": found.second}
    metrics = list(dict.fromkeys(metric.metric for metric in comparison.metrics))[:_MOST_HISTOGRAMS]
    wanted = [Wanted("segment-differences", HALF, {**systems, "metric": metric}) for metric in metrics]
    return figures_html(figures(wanted, comparison))


def _lede(comparison: SystemComparison) -> str:
    shown = {metric.name: sum(pair.shows_difference for pair in metric.pairs) for metric in comparison.metrics}
    total = len(comparison.metrics[0].pairs)
    if total == 1:
        return f"A difference is shown by {sum(shown.values())} of {plural(len(shown), 'score')}."
    counts = ", ".join(f"{score_label(metric)} {shown[metric.name]}" for metric in comparison.metrics)
    return f"Pairs for which a difference is shown, of {total}: {counts}."


def _against_baseline(details: PairDetails, name: str) -> Markup:
    """One table of all differences from the baseline, and behind it all that is known of each."""
    comparison = details.comparison
    return render(
        "templates/baseline.html",
        name=name,
        baseline=comparison.baseline,
        table=table_html(_overview(details)),
        panels=[(score_label(metric), baseline_table(comparison, metric)) for metric in comparison.metrics],
        has_lower=not all(metric.higher_is_better for metric in comparison.metrics),
        note=note_on_test(comparison),
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
    baseline = str(comparison.baseline)
    rows = [tuple(_baseline_row(comparison))]
    for first in (pair.first for pair in order):
        outcomes = (_outcome(details, metric, metric.pair(first, baseline)) for metric in metrics)
        rows.append((TableCell(first), *outcomes))
    caption = f"Differences from {comparison.baseline}"
    return Table(caption, tuple(headers), tuple(rows), tuple(groups), is_sortable=True, look="outcomes")


def _baseline_row(comparison: SystemComparison) -> Iterator[TableCell]:
    """The scores of the baseline, which the differences are from."""
    yield TableCell(str(comparison.baseline), "score")
    for metric in comparison.metrics:
        score = metric.scores[str(comparison.baseline)].value
        yield TableCell(number(score, difference_decimals(metric.scores)), classes="number baseline")


def _outcome(details: PairDetails, metric: ComparedMetric, pair: ComparedPair) -> TableCell:
    """The difference, and the p-value in small letters."""
    value = metric.in_favour(pair).value
    look = ("a" if value > 0 else "b") if pair.shows_difference else ""
    return TableCell(
        difference_text(value, difference_decimals(metric.scores)),
        p_text(pair.p_corrected, is_bound=pair.is_bound),
        classes=f"number {look}".strip(),
        order=None if math.isnan(value) else value,
        pair=details.number(metric, pair.first, pair.second),
    )


def _matrices(details: PairDetails, name: str) -> Markup:
    note = (
        f"{note_on_test(details.comparison)} Systems are in the order of their scores; lines part clusters. {CLUSTERS}"
    )
    metrics = details.comparison.metrics
    return render(
        "templates/matrices.html",
        name=name,
        matrices=[_matrix(details, metric) for metric in metrics],
        note=note,
        has_lower=not all(metric.higher_is_better for metric in metrics),
    )


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
    """Above the diagonal: how much better the row is."""
    pair = metric.pair(row, column)
    value = metric.in_favour(pair).value
    look = ("a" if value > 0 else "b") if pair.shows_difference else ""
    text = difference_text(value, difference_decimals(metric.scores))
    return _MatrixCell(text, look, details.number(metric, row, column))


def _p_cell(details: PairDetails, metric: ComparedMetric, first: str, second: str) -> _MatrixCell:
    """Below the diagonal: the p-value of the same pair."""
    pair = metric.pair(first, second)
    look = "p shown" if pair.shows_difference else "p"
    return _MatrixCell(
        p_text(pair.p_corrected, is_bound=pair.is_bound), look, pair=details.number(metric, first, second)
    )
