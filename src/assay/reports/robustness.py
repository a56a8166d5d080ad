"""Metrics over subsets of the systems, as documents."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from assay.labels.metrics import metric_label
from assay.labels.numbers import percent
from assay.labels.statistics import statistic_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, Series, TitledCells, columns
from assay.reports.labelled import FEWER_SYSTEMS, metric_text
from assay.reports.record_grid import rows_document
from assay.results import (
    QUANTILES,
    Curve,
    Point,
    RobustnessCurves,
    RobustnessSubsamples,
    RobustnessTable,
    SubsampledMetric,
    Subsamples,
)

__all__ = ["document"]

_DECIMALS = 3
_PREFIXES = {"top": "top ", "windows": "ranks ", "without-one": "without "}
"""What every label of a kind begins with: it is written once, in the first column's title."""

_NAMES = {
    "top": "Agreement with people on the best systems",
    "windows": "Agreement with people in windows of systems",
    "without-one": "Agreement with people without one system",
    "subsamples": "Agreement with people on random sets of systems",
}


def document(table: RobustnessCurves | RobustnessSubsamples | Curve | Subsamples) -> Document:
    """Metrics by subsets; for all but one, systems by metrics; for subsamples, a grid per set of included systems.

    One curve, or the subsamples of one metric, are shown as their rows.
    """
    if isinstance(table, Curve | Subsamples):
        return rows_document(table)
    name = _NAMES[table.kind]
    return Document.of(table, lambda: [_section(table, *_grids(table))], name=name, paper=lambda: [_paper(table, name)])


def _paper(table: RobustnessCurves | RobustnessSubsamples, name: str) -> Section:
    """The statistic is in the caption, and what the columns are of stands above them."""
    settings = table.settings
    what = ", ".join((statistic_label(settings["statistic"]), table.pair.lp, settings["gold"]))
    grids = tuple(replace(grid, columns=tuple(_paper_columns(table, grid))) for grid in _grids(table))
    return Section(grids, f"{name} ({what})", (table.signature,))


def _paper_columns(table: RobustnessTable, grid: Grid) -> Iterator[Column]:
    first, *others = grid.columns
    subset = first.title.removeprefix(f"{table.settings['statistic']}, ")
    if table.kind == "without-one":
        yield replace(first, title=subset, label="")
        yield from others
        return
    yield Column("metric", "left")
    group = {"top": "best systems", "windows": "ranks of the systems"}.get(table.kind, subset)
    for column in others:
        yield column if column.title in ("n", "all") else replace(column, group=group, short=column.title)


def _grids(table: RobustnessCurves | RobustnessSubsamples) -> Iterator[Grid]:
    if isinstance(table, RobustnessSubsamples):
        yield from _subsample_grids(table)
    else:
        yield (_by_system if table.kind == "without-one" else _by_metric)(table)


def _section(table: RobustnessTable, *grids: Grid) -> Section:
    return Section(grids, signatures=(table.signature,))


def _by_metric(table: RobustnessCurves) -> Grid:
    """A row per metric. The best N start with all systems; windows need a column for them."""
    prefix, shares = _PREFIXES[table.kind], _significant_shares(table)
    level = f"(p < {table.settings.get('alpha')})"
    share = Text(f"significant pairs {level}", label=f"pairs that people tell apart {level}")
    above, blank = ([share], [BLANK]) if shares else ([], [])
    columns: list[TitledCells] = [
        (_first(table, prefix.strip()), [*above, *(metric_text(curve.metric) for curve in table)]),
        ("n", [*blank, *(Count(curve.all_systems.n) for curve in table)]),
    ]
    if table.kind != "top":
        columns.append(("all", [*blank, *map(_over_all, table)]))
    for label in table.labels:
        cells = [*(shares[label] for _ in above), *(_point(curve, label) for curve in table)]
        columns.append((label.removeprefix(prefix), cells))
    captions = (*_missing_captions(table), *_tie_captions(table), _outlier_caption(table))
    return Grid.of(columns, captions, [*(Series("", (), ()) for _ in above), *map(_series, table)])


def _first(table: RobustnessTable, subset: str) -> Column:
    """The title of the first column: the statistic, and what the other titles are of."""
    statistic = table.settings["statistic"]
    return Column(f"{statistic}, {subset}", "left", label=f"{statistic_label(statistic)}, {subset}")


def _significant_shares(table: RobustnessCurves) -> dict[str, Cell]:
    """The share of pairs of systems that people tell apart, in the subsets of the metrics with most systems."""
    shares = {point.label: point.significant_share for point in table.widest}
    if all(map(math.isnan, shares.values())):
        return {}
    return {label: Number(share, _DECIMALS) for label, share in shares.items()}


def _over_all(curve: Curve) -> Cell:
    return Number(curve.all_systems.value, _DECIMALS, n=_count(curve))


def _count(metric: Curve | SubsampledMetric | Point) -> int | None:
    """The number of systems behind a value, if the metric lacks some that the others have."""
    if not metric.missing:
        return None
    return metric.estimate.n if isinstance(metric, Point) else metric.all_systems.n


def _missing_captions(table: RobustnessCurves | RobustnessSubsamples) -> Iterator[Caption]:
    if any(metric.missing for metric in table):
        text = "in parentheses: the number of systems behind a value, where the metric lacks some that the others have"
        yield Caption("{}", (Text(text, label=FEWER_SYSTEMS),))


def _tie_captions(table: RobustnessCurves) -> Iterator[Caption]:
    cut = dict.fromkeys(point.label for curve in table for point in curve if point.cuts_tie)
    if cut:
        labels = ", ".join(label.removeprefix(_PREFIXES[table.kind]) for label in cut)
        yield Caption("a tie of human scores at the border, broken by name: {}", (Text(labels),))


def _series(curve: Curve) -> Series:
    labels, values = tuple(point.label for point in curve), tuple(point.value for point in curve)
    return Series(curve.metric, labels, values, _DECIMALS)


def _point(curve: Curve, label: str) -> Cell:
    """The value at a label; blank where the curve has no point."""
    point = next((point for point in curve if point.label == label), None)
    return BLANK if point is None else Number(point.value, _DECIMALS, n=_count(point), reason=point.estimate.reason)


def _by_system(table: RobustnessCurves) -> Grid:
    """A row for each system that is left out, the most influential first."""
    prefix = _PREFIXES[table.kind]
    names = [label.removeprefix(prefix) for label in table.labels]
    columns: list[TitledCells] = [
        (_first(table, prefix.strip()), [Text("n"), Text("(none)"), *(_system(table, name) for name in names)]),
        ("rank", [BLANK, BLANK, *(Count(table.order.index(name) + 1) for name in names)]),
    ]
    for curve in table:
        cells = [Count(curve.all_systems.n), _over_all(curve), *(_point(curve, label) for label in table.labels)]
        columns.append((Column(curve.metric, label=metric_label(curve.metric)), cells))
    return Grid.of(columns, (*_missing_captions(table), _outlier_caption(table)))


def _system(table: RobustnessTable, name: str) -> Text:
    return Text(name, frozenset({Flag.OUTLIER} if name in table.pair.outliers.systems else ()))


def _subsample_grids(table: RobustnessSubsamples) -> Iterator[Grid]:
    """A grid for each set of included systems, with the outliers below the last."""
    total = len(table.metrics[0].subsamples)
    for k in range(total):
        last = (*_missing_captions(table), _outlier_caption(table)) if k == total - 1 else ()
        yield _subsample_grid(table, [(metric, metric.subsamples[k]) for metric in table], last)


def _subsample_grid(
    table: RobustnessSubsamples, rows: list[tuple[SubsampledMetric, Subsamples]], captions: tuple[Caption, ...]
) -> Grid:
    widest = max((subsamples for _, subsamples in rows), key=lambda subsamples: len(subsamples.drawn_from))
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            metric_text(metric.metric),
            Count(metric.all_systems.n),
            *(
                Number(value, _DECIMALS, n=_count(metric))
                for value in (metric.all_systems.value, *_summary(subsamples))
            ),
        )
        for metric, subsamples in rows
    )
    reasons = (
        Caption("{}: {}", (metric_text(metric.metric), Text(subsamples.reason)))
        for metric, subsamples in rows
        if subsamples.reason
    )
    first = _first(table, _subsample_name(widest))
    quantiles = map(percent, QUANTILES)
    return Grid((first, *columns(("n", "all", "mean", "sd", *quantiles), labels=0)), cells, (*reasons, *captions))


def _subsample_name(subsamples: Subsamples) -> str:
    others = f"{subsamples.size - len(subsamples.included)} of {len(subsamples.drawn_from)}"
    return " + ".join((*subsamples.included, others))


def _summary(subsamples: Subsamples) -> Iterator[float]:
    yield subsamples.mean
    yield subsamples.standard_deviation
    yield from (subsamples.quantile(share) for share in QUANTILES)


def _outlier_caption(table: RobustnessTable) -> Caption:
    """The outliers and their distances, or why there are none."""
    outliers = table.pair.outliers
    cutoff = Text(f"{outliers.cutoff:g}")
    units = {"mad": "scaled median deviations from the median", "z": "standard deviations from the mean"}
    beyond = "further than {} " + units[outliers.rule]
    if not outliers.systems:
        no_outliers = f"no outliers: none is {beyond}"
        return (
            Caption(no_outliers, (cutoff,)) if outliers.reason is None else Caption(f"no outliers: {outliers.reason}")
        )
    ranks = {name: rank for rank, name in enumerate(table.order, 1)}
    values = [(Text(name), Count(ranks[name]), Number(outliers.distances[name], 1)) for name in outliers.systems]
    listed = ", ".join(["{} (rank {}, {})"] * len(values))
    return Caption(f"outliers, {beyond}: {listed}", (cutoff, *(cell for cells in values for cell in cells)))
