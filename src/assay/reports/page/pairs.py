"""All pairs of systems: a matrix for each metric and aggregation, or the differences from the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.reports import document
from assay.reports.blocks import (
    Block,
    Described,
    Fold,
    Heading,
    Key,
    Matrix,
    PageSection,
    PageTable,
    Panels,
    Sentences,
)
from assay.reports.cells import Cell, Flag, Number, PValue, Text, cell_text
from assay.reports.documents import Column, Grid
from assay.reports.page.figures import HALF, Wanted, figures
from assay.reports.page.pair_details import PairDetails, pairs_data
from assay.reports.page.report import Report, distinct_names, numbered
from assay.reports.page.segments import viewer_of
from assay.reports.system_comparison import pair_grid
from assay.results import ComparedMetric, ComparedPair, SystemComparison
from assay.words.compared_pair import PairVerdict, pair_verdict, score_label
from assay.words.pairs import detectable_words, how_tested, one_cluster, shown_pairs
from assay.words.people import CLUSTERS
from assay.words.statement import Name

__all__ = ["build"]

_MOST_HISTOGRAMS = 2
_HINT = "Choose a cell for its interval and test."


def build(report: Report) -> Iterator[PageSection]:
    """A section for each comparison."""
    comparisons = report.of(SystemComparison)
    labels = distinct_names([comparison.inputs for comparison in comparisons])
    for place, (comparison, label) in enumerate(zip(comparisons, labels, strict=True)):
        details = PairDetails(comparison, viewer_of(comparison, report), report.commands)
        blocks = tuple(_blocks(details, f"matrix{numbered(place)}"))
        yield PageSection(
            f"pairs{numbered(place)}",
            f"Pairs {label}".strip(),
            "Which differences are more than chance?",
            (*blocks, *_histograms(comparison)),
            shown_pairs(comparison),
            eyebrow=label,
            part="Systems",
            data={pairs_data(place): details.tree},
        )


def _blocks(details: PairDetails, name: str) -> Iterator[Block]:
    comparison = details.comparison
    if len(comparison.metrics[0].pairs) == 1:
        found = pair_verdict(comparison)
        yield PageTable(_single_pair(comparison, found), f"{found.first} against {found.second}", draws=False)
        yield Sentences((*detectable_words(comparison), how_tested(comparison)), "notes")
    elif comparison.baseline is None:
        yield from _matrices(details, name)
    else:
        yield from _against_baseline(details, name)


def _histograms(comparison: SystemComparison) -> tuple[Block, ...]:
    """How the differences of single segments are distributed, for the pair of the verdict."""
    found = pair_verdict(comparison)
    systems = {"first": found.first, "second": found.second}
    metrics = list(dict.fromkeys(metric.metric for metric in comparison.metrics))[:_MOST_HISTOGRAMS]
    return figures([Wanted("segment-differences", HALF, {**systems, "metric": each}) for each in metrics], comparison)


def _difference_grids(comparison: SystemComparison) -> list[Grid]:
    """The grid of each metric and aggregation, as all forms have it."""
    found = [section.grids[0] for section in document(comparison, details=True).sections if section.grids]
    return found[: len(comparison.metrics)]


def _single_pair(comparison: SystemComparison, found: PairVerdict) -> Grid:
    """The only pair, in the order of the verdict."""
    turned = tuple(replace(score.metric, pairs=(score.pair,)) for score in found.scores)
    grid = pair_grid(replace(comparison, metrics=turned))
    roles: dict[str, Literal["first", "second"]] = {"first_score": "first", "second_score": "second"}
    return replace(grid, columns=tuple(replace(each, role=roles.get(each.name, "")) for each in grid.columns))


def _against_baseline(details: PairDetails, name: str) -> Iterator[Block]:
    """One table of all differences from the baseline, and behind it all that is known of each."""
    comparison = details.comparison
    yield Heading(("Differences from the baseline ", Name(str(comparison.baseline))))
    yield Key(
        (("a", "system better"), ("b", "baseline better"), ("", "no difference shown")),
        f"Each number is how much better the system is{_turned(comparison)}; in small letters, the p-value.",
        _HINT,
    )
    caption = f"Differences from {comparison.baseline}"
    table = PageTable(_overview(details), caption, is_sortable=True, draws=False, style="outcomes")
    yield Described(name, (table,))
    yield Sentences((how_tested(comparison),), "notes")
    panels = Panels(
        name,
        tuple(
            (score_label(metric), (PageTable(grid, f"Differences by {score_label(metric)}", is_sortable=True),))
            for metric, grid in zip(comparison.metrics, _difference_grids(comparison), strict=True)
        ),
    )
    notes = Sentences(tuple(detectable_words(comparison)), "notes")
    yield Fold(("Intervals, wins and losses, and what could have been shown",), (panels, notes))


def _turned(comparison: SystemComparison) -> str:
    is_lower = not all(metric.higher_is_better for metric in comparison.metrics)
    return ", also where lower scores are better" if is_lower else ""


def _overview(details: PairDetails) -> Grid:
    """A row for each system and a column for each metric and aggregation, below the scores of the baseline."""
    comparison, metrics = details.comparison, details.comparison.metrics
    baseline = str(comparison.baseline)
    systems = [system for system in metrics[0].best_first if system != baseline]
    columns = (
        Column(
            score_label(metric),
            group=metric_label(metric.metric),
            short=AGGREGATIONS.get(metric.aggregation, metric.aggregation),
            group_note="" if metric.higher_is_better else "lower is better",
        )
        for metric in metrics
    )
    scores = (Text(cell_text(Number(metric.scores[baseline].value, metric.decimals))) for metric in metrics)
    rows: list[tuple[Cell, ...]] = [(Text(f"{baseline}, score"), *scores)]
    rows += [
        (Text(system), *(_difference(details, metric, metric.pair(system, baseline)) for metric in metrics))
        for system in systems
    ]
    pairs = {
        (row, place): details.number(metric, system, baseline)
        for row, system in enumerate(systems, 1)
        for place, metric in enumerate(metrics, 1)
    }
    return Grid((Column("System", "left"), *columns), tuple(rows), pairs=pairs)


def _difference(details: PairDetails, metric: ComparedMetric, pair: ComparedPair, *, has_p: bool = True) -> Number:
    """How much better the first system is, in the colour of the better one."""
    favour, p = metric.in_favour(pair), _p_value(details, pair)
    flag = Flag.FIRST if favour.value > 0 else Flag.SECOND
    return Number(
        favour.value,
        metric.decimals,
        style="signed",
        reason=favour.reason,
        flags=frozenset({flag} if pair.shows_difference else ()),
        p=p if has_p else None,
    )


def _p_value(details: PairDetails, pair: ComparedPair) -> PValue:
    flags = frozenset() if pair.shows_difference else frozenset({Flag.NOT_SIGNIFICANT})
    return PValue(pair.p_corrected, details.comparison.alpha, flags, pair.is_bound)


def _matrices(details: PairDetails, name: str) -> Iterator[Block]:
    comparison = details.comparison
    yield Key(
        (("a", "row better"), ("b", "column better"), ("", "no difference shown")),
        f"Above the diagonal: how much better the row is{_turned(comparison)}; below it: the p-value of the same pair.",
        _HINT,
    )
    panels = [(score_label(metric), tuple(_matrix_blocks(details, metric))) for metric in comparison.metrics]
    yield Described(name, (Panels(name, tuple(panels)),))
    order = "Systems are in the order of their scores; lines part clusters."
    yield Sentences((f"{how_tested(comparison)} {order} {CLUSTERS}",), "notes")


def _matrix_blocks(details: PairDetails, metric: ComparedMetric) -> Iterator[Block]:
    order = tuple(metric.best_first)
    clusters = tuple(metric.clusters.get(name) for name in order)
    cells = tuple(tuple(_matrix_row(details, metric, order, place)) for place in range(len(order)))
    matrix = Matrix(f"Pairs of systems by {score_label(metric)}", order, clusters, cells)
    yield matrix
    if clusters[0] and not matrix.has_clusters:
        yield Sentences((one_cluster(metric),), "notes")


def _matrix_row(
    details: PairDetails, metric: ComparedMetric, order: Sequence[str], place: int
) -> Iterator[tuple[Cell, int] | None]:
    """Below the diagonal the p-values, above it how much better the row is."""
    row = order[place]
    for column in order[:place]:
        yield _p_value(details, metric.pair(column, row)), details.number(metric, column, row)
    yield None
    for column in order[place + 1 :]:
        pair = metric.pair(row, column)
        yield _difference(details, metric, pair, has_p=False), details.number(metric, row, column)
