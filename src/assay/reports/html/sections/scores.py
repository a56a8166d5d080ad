"""The scores of all systems under each metric and aggregation, with intervals on one scale per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.labels.numbers import joined
from assay.reports.cells import Flag, Number
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.lanes import Lane, interval_scale, marks
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.section_names import distinct_names, numbered
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
from assay.reports.run import number_cells
from assay.results import ComparedMetric, Run, SystemComparison
from assay.results.estimate import decimals_for
from assay.types import TestSet
from assay.words.compared_pair import pair_verdict
from assay.words.scores import leaders, other_leaders

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["SHOWS", "build"]

SHOWS = (Run,)
_LANE = 104


@dataclass(frozen=True, slots=True)
class _MetricColumns:
    """The columns of one metric: for each system a number under each aggregation, the first of which orders them."""

    spec: str
    higher_is_better: bool
    aggregations: tuple[str, ...]
    numbers: Mapping[str, tuple[Number, ...]]

    def goodness(self, system: str) -> float:
        """Higher is better; undefined scores come last."""
        value = self.numbers[system][0].value
        if math.isnan(value):
            return -math.inf
        return value if self.higher_is_better else -value


def build(report: Report) -> Iterator[PageSection]:
    """A section for each run, and for each comparison of systems whose scores no run has."""
    runs, comparisons = report.of(Run), report.of(SystemComparison)
    alone = [each for each in comparisons if not any(_covers(run, each) for run in runs)]
    labels = distinct_names([*(run.inputs for run in runs), *(each.inputs for each in alone)])
    for place, (run, label) in enumerate(zip(runs, labels, strict=False)):
        disagreeing = [
            spec for spec, metric in run.metrics.items() if metric.disagreement and metric.disagreement.flips
        ]
        wanted = [Wanted("aggregations", HALF, {"metric": spec}) for spec in disagreeing]
        drawn = figures_html(figures(wanted, run))
        table = _table(_of_run(run), run.systems, comparisons)
        yield _section(place, label, _heading(run), [table, *drawn], " ".join(_lede(run)))
    for place, (comparison, label) in enumerate(zip(alone, labels[len(runs) :], strict=True), len(runs)):
        table = _table(list(_of_comparison(comparison)), tuple(comparison.metrics[0].scores), (comparison,))
        yield _section(place, label, "What do the systems score?", [table])


def _section(place: int, label: str, heading: str, blocks: list[Markup], lede: str = "") -> PageSection:
    return PageSection(
        f"scores{numbered(place)}",
        f"Scores {label}".strip(),
        heading,
        render("templates/section.html", blocks=blocks),
        lede=lede,
        eyebrow=label,
        part="Systems",
    )


def _covers(run: Run, comparison: SystemComparison) -> bool:
    """Whether the run has the scores of a comparison: all of its systems on the same texts."""
    records = [each.record if isinstance(each, TestSet) else each for each in (run.inputs, comparison.inputs)]
    is_same = records[0].digests.items() >= records[1].digests.items()
    return is_same and set(comparison.inputs.systems) <= set(run.systems)


def _of_run(run: Run) -> list[_MetricColumns]:
    return [
        _MetricColumns(spec, metric.higher_is_better, tuple(metric.aggregations), number_cells(run, metric))
        for spec, metric in run.metrics.items()
    ]


def _of_comparison(comparison: SystemComparison) -> Iterator[_MetricColumns]:
    for spec, members in groupby(comparison.metrics, key=lambda metric: metric.metric):
        found = list(members)
        columns = [list(_numbers(metric)) for metric in found]
        numbers = dict(zip(found[0].scores, zip(*columns, strict=True), strict=True))
        aggregations = tuple(metric.aggregation for metric in found)
        yield _MetricColumns(spec, found[0].higher_is_better, aggregations, numbers)


def _numbers(metric: ComparedMetric) -> Iterator[Number]:
    values = [each.value for each in metric.scores.values()]
    known = [value for value in values if not math.isnan(value)]
    best = (max if metric.higher_is_better else min)(known, default=math.nan)
    for score in metric.scores.values():
        flags = frozenset({Flag.BEST} if score.value == best else ())
        yield Number(score.value, decimals_for(values), score.low, score.high, reason=score.reason, flags=flags)


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


def _table(metrics: list[_MetricColumns], systems: Sequence[str], comparisons: Sequence[SystemComparison]) -> Markup:
    unshown = _unshown(comparisons, systems)
    headers, groups = [Header("System", is_label=True)], [("", "", 1)]
    rows: dict[str, list[TableCell]] = {system: [TableCell(system)] for system in systems}
    for metric in metrics:
        names, label = metric.aggregations, metric_label(metric.spec)
        scale = interval_scale((number for row in metric.numbers.values() for number in row), _LANE)
        titles = (AGGREGATIONS.get(name, name) for name in names)
        headers += [Header(title, is_lowest_best=not metric.higher_is_better) for title in titles]
        groups.append((label, "higher is better" if metric.higher_is_better else "lower is better", len(names)))
        if scale is not None:
            headers.append(Header(f"{label}, intervals", scale=scale))
            groups.append(("", "lane", 1))
        for system, numbers in metric.numbers.items():
            marked = [(metric.spec, name, system) in unshown for name in names]
            rows[system] += [_score(*each) for each in zip(numbers, marked, strict=True)]
            if scale is not None:
                looks = ["" if place == 0 else "hollow" for place in range(len(names))]
                lane = Lane(_LANE, marks(numbers, looks, scale))
                rows[system].append(TableCell(lane=lane, classes="lane"))
    order = sorted(systems, key=lambda name: -metrics[0].goodness(name))
    roles = _roles(comparisons, systems)
    table = Table(
        "Scores of all systems",
        tuple(headers),
        tuple(tuple(rows[system]) for system in order),
        tuple(groups),
        (_note(metrics, systems, is_marked=bool(unshown)),),
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


def _roles(comparisons: Sequence[SystemComparison], systems: Sequence[str]) -> dict[str, str]:
    """The two systems of the verdict have their colours here, too."""
    if not comparisons:
        return {}
    found = pair_verdict(comparisons[0])
    return {found.first: "first", found.second: "second"} if {found.first, found.second} <= set(systems) else {}


def _unshown(comparisons: Sequence[SystemComparison], systems: Sequence[str]) -> set[tuple[str, str, str]]:
    """Metric, aggregation and system, where no difference from the best system is shown; of scores whose best system
    was compared with all others."""
    found = set()
    for comparison in comparisons:
        if set(comparison.inputs.systems) != set(systems):
            continue
        for metric in comparison.metrics:
            sign = 1 if metric.higher_is_better else -1
            best = max(metric.scores, key=lambda name: sign * metric.scores[name].value)
            pairs = [pair for pair in metric.pairs if best in (pair.first, pair.second)]
            if len(pairs) < len(metric.scores) - 1:  # a score without a mark would look as if it were shown to be worse
                continue
            for pair in pairs:
                if not pair.shows_difference:
                    found.add((metric.metric, metric.aggregation, pair.second if pair.first == best else pair.first))
    return found


def _note(metrics: Sequence[_MetricColumns], systems: Sequence[str], *, is_marked: bool) -> str:
    parts = []
    if any(len(metric.aggregations) > 1 for metric in metrics):
        parts.append("Filled dot: corpus; hollow dot: mean of segment scores.")
    if any(not math.isnan(row[0].low) for metric in metrics for row in metric.numbers.values()):
        parts.append(
            "Lines are intervals of each score alone: that they overlap does not mean that there is no difference."
        )
    if len(systems) > 1:
        parts.append("Bold: best.")
    if is_marked:
        parts.append(AMONG_BEST_NOTE)
    return " ".join(parts)
