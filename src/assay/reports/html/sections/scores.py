"""The scores of all systems under each metric and aggregation, with intervals on one scale per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.charts.metric_label import metric_label
from assay.reports.cells import Flag, Number
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.labels import joined
from assay.reports.html.lanes import Lane, interval_scale, marks
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.tables import (
    AMONG_BEST,
    AMONG_BEST_NOTE,
    Header,
    Table,
    TableCell,
    cell,
    number_text,
    table_html,
)
from assay.reports.html.verdict.scores import leaders, other_leaders
from assay.reports.html.verdict.systems import pair_verdict
from assay.reports.run import number_cells
from assay.results import MetricScores, Run, SystemComparison

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["SHOWS", "build"]

SHOWS = (Run,)
_LANE = 104


def build(report: Report) -> Iterator[PageSection]:
    """A section for each run."""
    runs = report.of(Run)
    comparisons = report.of(SystemComparison)
    for number, run in enumerate(runs, 1):
        suffix = f"-{number}" if len(runs) > 1 else ""
        disagreeing = [
            spec for spec, metric in run.metrics.items() if metric.disagreement and metric.disagreement.flips
        ]
        wanted = [Wanted("aggregations", HALF, {"metric": spec}) for spec in disagreeing]
        drawn = figures_html(figures(wanted, run))
        yield PageSection(
            f"scores{suffix}",
            "Scores" if not suffix else f"Scores {run.inputs.name or number}",
            _heading(run),
            render("templates/section.html", blocks=[_table(run, comparisons), *drawn]),
            lede=" ".join(_lede(run)),
            part="Systems",
        )


def _heading(run: Run) -> str:
    if len(run.systems) == 1:
        return "What does the system score?"
    found = leaders(run)
    if len(found) != 1:
        return "No system scores best by all metrics"
    return f"{next(iter(found))} scores best by {'most scores' if other_leaders(run) else 'all metrics'}"


def _lede(run: Run) -> Iterator[str]:
    found = leaders(run)
    if len(run.systems) > 1 and len(found) > 1:
        yield f"{joined([f'{system} leads by {joined(names)}' for system, names in found.items()])}."
    if len(found) == 1:
        yield from other_leaders(run)
    disagreements = {metric_label(spec): metric.disagreement for spec, metric in run.metrics.items()}
    flips = [f"{len(each.flips)} by {name}" for name, each in disagreements.items() if each is not None and each.flips]
    pairs = max((each.pairs for each in disagreements.values() if each is not None), default=0)
    if flips:
        yield f"Corpus score and segment mean order pairs of systems differently: {joined(flips)}, of {pairs}."


def _table(run: Run, comparisons: tuple[SystemComparison, ...]) -> Markup:
    cells = {spec: number_cells(run, metric) for spec, metric in run.metrics.items()}
    unshown = _unshown(comparisons, run)
    headers, groups = [Header("System", is_label=True)], [("", "", 1)]
    rows: dict[str, list[TableCell]] = {system: [TableCell(system)] for system in run.systems}
    for spec, metric in run.metrics.items():
        names = list(metric.aggregations)
        scale = interval_scale((number for row in cells[spec].values() for number in row), _LANE)
        headers += [Header(_aggregation(name)) for name in names]
        if scale is not None:
            headers.append(Header(f"{metric_label(spec)}, intervals", scale=scale))
        direction = "higher is better" if metric.higher_is_better else "lower is better"
        groups.append((metric_label(spec), direction, len(names)))
        if scale is not None:
            groups.append(("", "lane", 1))
        for system, numbers in cells[spec].items():
            marked = [(spec, name, system) in unshown for name in names]
            rows[system] += [_score(*each) for each in zip(numbers, marked, strict=True)]
            if scale is not None:
                looks = ["" if place == 0 else "hollow" for place in range(len(names))]
                lane = Lane(_LANE, marks(numbers, looks, scale))
                rows[system].append(TableCell(lane=lane, classes="lane"))
    order = sorted(run.systems, key=lambda name: -_oriented(next(iter(run.metrics.values())), name))
    roles = _roles(comparisons, run)
    table = Table(
        "Scores of all systems",
        tuple(headers),
        tuple(tuple(rows[system]) for system in order),
        tuple(groups),
        (_note(run, is_marked=bool(unshown)),),
        is_sortable=len(order) > 1,
        looks=tuple(roles.get(system, "") for system in order),
        look="lanes",
    )
    return table_html(table)


def _score(number: Number, is_marked: bool) -> TableCell:
    shown = cell(replace(number, low=math.nan, high=math.nan))
    interval = "" if math.isnan(number.low) else f", from {number.low:.6g} to {number.high:.6g}"
    mark = AMONG_BEST if is_marked and Flag.BEST not in number.flags else ""
    return replace(shown, text=f"{number_text(number)}{mark}", tooltip=f"{shown.tooltip}{interval}")


def _aggregation(name: str) -> str:
    return name


def _oriented(metric: MetricScores, system: str) -> float:
    value = metric.headline[system]
    if math.isnan(value):
        return -math.inf
    return value if metric.higher_is_better else -value


def _roles(comparisons: tuple[SystemComparison, ...], run: Run) -> dict[str, str]:
    """The two systems of the verdict have their colours here, too."""
    if not comparisons:
        return {}
    found = pair_verdict(comparisons[0])
    return {found.first: "first", found.second: "second"} if {found.first, found.second} <= set(run.systems) else {}


def _unshown(comparisons: tuple[SystemComparison, ...], run: Run) -> set[tuple[str, str, str]]:
    """Metric, aggregation and system, where no difference from the best system is shown; of scores whose best system
    was compared with all others."""
    found = set()
    for comparison in comparisons:
        if set(comparison.inputs.systems) != set(run.systems):
            continue
        alpha = float(comparison.settings["alpha"])
        for metric in comparison.metrics:
            sign = 1 if metric.higher_is_better else -1
            best = max(metric.scores, key=lambda name: sign * metric.scores[name].value)
            pairs = [pair for pair in metric.pairs if best in (pair.first, pair.second)]
            if len(pairs) < len(metric.scores) - 1:  # a score without a mark would look as if it were shown to be worse
                continue
            for pair in pairs:
                if not pair.shows_difference(alpha):
                    found.add((metric.metric, metric.aggregation, pair.second if pair.first == best else pair.first))
    return found


def _note(run: Run, *, is_marked: bool) -> str:
    estimates = [each for metric in run.metrics.values() for each in metric.headline.estimates.values()]
    parts = []
    if any(len(metric.aggregations) > 1 for metric in run.metrics.values()):
        parts.append("Filled dot: corpus; hollow dot: mean of segment scores.")
    if any(not math.isnan(each.low) for each in estimates):
        parts.append(
            "Lines are intervals of each score alone: that they overlap does not mean that there is no difference."
        )
    if len(run.systems) > 1:
        parts.append("Bold: best.")
    if is_marked:
        parts.append(AMONG_BEST_NOTE)
    return " ".join(parts)
