"""The scores of all systems under each metric and aggregation, with intervals on one scale per metric, and those that
people gave them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from assay.labels.metrics import AGGREGATIONS, dots_legend, metric_label
from assay.reports.blocks import Block, PageSection, PageTable
from assay.reports.cells import BLANK, Cell, Flag, Number, Text
from assay.reports.compared_systems import PEOPLE
from assay.reports.documents import Caption, Column, Grid, TitledCells
from assay.reports.page.figures import HALF, Wanted, figures
from assay.reports.page.report import Report, distinct_names, numbered
from assay.reports.scores import number_cells
from assay.reports.system_scores import ScoreColumn
from assay.results import ComparedMetric, Run, SystemComparison
from assay.results.order import best_value
from assay.types import TestSet
from assay.words.compared_pair import pair_verdict
from assay.words.scores import best_system, leading_systems, unequal_orders
from assay.words.statement import plain_text

__all__ = ["build"]

_HIGHER = "higher is better"
_WIDTH, _SCORE, _DRAWING, _PEOPLE = 900, 100, 120, 80  # of a page and of its columns, in pixels


def build(report: Report) -> Iterator[PageSection]:
    """A section for each run, and for each comparison of systems whose scores no run has."""
    runs, comparisons = report.of(Run), report.of(SystemComparison)
    alone = [each for each in comparisons if not any(_covers(run, each) for run in runs)]
    labels = distinct_names([*(run.inputs for run in runs), *(each.inputs for each in alone)])
    for place, (run, label) in enumerate(zip(runs, labels, strict=False)):
        flips = [spec for spec, metric in run.metrics.items() if metric.disagreement and metric.disagreement.flips]
        drawn = figures([Wanted("aggregations", HALF, {"metric": spec}) for spec in flips], run)
        human = _human(each for each in comparisons if _covers(run, each))
        table = _table(list(_of_run(run)), comparisons, human)
        yield _section(
            place, label, _heading(run), (table, *drawn), " ".join((*leading_systems(run), *unequal_orders(run)))
        )
    for place, (comparison, label) in enumerate(zip(alone, labels[len(runs) :], strict=True), len(runs)):
        scores = [_of_comparison(metric) for metric in comparison.metrics]
        table = _table(scores, (comparison,), _human((comparison,)))
        yield _section(place, label, "What do the systems score?", (table,))


def _section(place: int, label: str, heading: str, blocks: tuple[Block, ...], lede: str = "") -> PageSection:
    link = f"Scores {label}".strip()
    return PageSection(f"scores{numbered(place)}", link, heading, blocks, lede, eyebrow=label, part="Systems")


def _covers(run: Run, comparison: SystemComparison) -> bool:
    """Whether the run has the scores of a comparison: all of its systems on the same texts."""
    records = [each.record if isinstance(each, TestSet) else each for each in (run.inputs, comparison.inputs)]
    is_same = records[0].digests.items() >= records[1].digests.items()
    return is_same and set(comparison.inputs.systems) <= set(run.systems)


def _of_run(run: Run) -> Iterator[ScoreColumn]:
    for spec, metric in run.metrics.items():
        rows = number_cells(run, metric)
        for k, aggregation in enumerate(metric.aggregations):
            numbers = {system: cells[k] for system, cells in rows.items()}
            yield ScoreColumn(spec, aggregation, metric.higher_is_better, numbers)


def _of_comparison(metric: ComparedMetric) -> ScoreColumn:
    numbers = {
        system: Number.of(score, metric.decimals, flags=frozenset({Flag.BEST} if score.value == metric.best else ()))
        for system, score in metric.scores.items()
    }
    return ScoreColumn(metric.metric, metric.aggregation, metric.higher_is_better, numbers)


def _human(comparisons: Iterable[SystemComparison]) -> Mapping[str, Mapping[str, float]]:
    """What people gave the systems, by the name of the human scores."""
    return {name: scores for comparison in comparisons for name, scores in comparison.human.items()}


def _heading(run: Run) -> str:
    return "What does the system score?" if len(run.systems) == 1 else plain_text(best_system(run)).rstrip(".")


def _table(
    scores: Sequence[ScoreColumn],
    comparisons: Sequence[SystemComparison],
    human: Mapping[str, Mapping[str, float]],
) -> PageTable:
    """A row for each system, the best first by the first score. Intervals are drawn if there is room."""
    order, unshown = scores[0].best_first, _unshown(comparisons, list(scores[0].numbers))
    roles = _roles(comparisons, order)
    with_intervals = {each.metric for each in scores if any(not math.isnan(n.low) for n in each.numbers.values())}
    has_room = _SCORE * len(scores) + _DRAWING * len(with_intervals) + _PEOPLE * len(human) <= _WIDTH
    drawn = with_intervals if has_room else set()

    def columns() -> Iterator[TitledCells]:
        names = [Text(system, frozenset({roles[system]} if system in roles else ())) for system in order]
        yield Column("System", "left"), names
        for each in scores:
            is_unshown = {system: (each.metric, each.aggregation, system) in unshown for system in order}
            numbers = [_marked(each, system, is_unshown=is_unshown[system]) for system in order]
            yield _column(each, is_drawn=each.metric in drawn), numbers
        for name, given in human.items():
            title = f"people: {name}"
            yield Column(title, group="People", short=name, group_note=_HIGHER), _given(order, given)

    captions = [
        *map(Caption, _captions(scores, is_drawn=bool(drawn), has_intervals=bool(with_intervals))),
        *([PEOPLE] if human else []),
    ]
    return PageTable(
        Grid.of(columns(), captions), "Scores of all systems", is_sortable=len(order) > 1, draws=False, style="lanes"
    )


def _column(score: ScoreColumn, *, is_drawn: bool) -> Column:
    metric, aggregation = metric_label(score.metric), AGGREGATIONS.get(score.aggregation, score.aggregation)
    return Column(
        f"{metric} {aggregation}",
        group=metric,
        short=aggregation,
        group_note=_HIGHER if score.higher_is_better else "lower is better",
        is_lower_better=not score.higher_is_better,
        lane=metric if is_drawn else "",
    )


def _given(systems: Sequence[str], scores: Mapping[str, float]) -> Iterator[Cell]:
    best = best_value(scores[system] for system in systems if system in scores)
    for system in systems:
        flags = frozenset({Flag.BEST} if scores.get(system) == best else ())
        yield Number(scores[system], flags=flags) if system in scores else BLANK


def _marked(score: ScoreColumn, system: str, *, is_unshown: bool) -> Number:
    number = score.numbers[system]
    flags = {Flag.SEGMENT_MEAN} if score.aggregation != "corpus" else set()
    if is_unshown and Flag.BEST not in number.flags:
        flags.add(Flag.AMONG_BEST)
    return replace(number, flags=number.flags | flags)


def _roles(comparisons: Sequence[SystemComparison], systems: Sequence[str]) -> dict[str, Flag]:
    """The two systems of the verdict have their colours here, too."""
    if not comparisons:
        return {}
    found = pair_verdict(comparisons[0])
    is_here = {found.first, found.second} <= set(systems)
    return {found.first: Flag.FIRST, found.second: Flag.SECOND} if is_here else {}


def _unshown(comparisons: Sequence[SystemComparison], systems: Sequence[str]) -> set[tuple[str, str, str]]:
    """Metric, aggregation and system, where no difference from the best system is shown; of scores whose best system
    was compared with all others."""
    found = set()
    for comparison in comparisons:
        if set(comparison.inputs.systems) != set(systems):
            continue
        for metric in comparison.metrics:
            best, *_ = metric.best_first
            pairs = [pair for pair in metric.pairs if best in (pair.first, pair.second)]
            if len(pairs) < len(metric.scores) - 1:  # a score without a mark would look as if it were shown to be worse
                continue
            for pair in pairs:
                if not pair.shows_difference:
                    found.add((metric.metric, metric.aggregation, pair.second if pair.first == best else pair.first))
    return found


def _captions(scores: Sequence[ScoreColumn], *, is_drawn: bool, has_intervals: bool) -> Iterator[str]:
    parts = []
    if is_drawn and any(score.aggregation != "corpus" for score in scores):
        parts.append(f"{dots_legend(score.aggregation for score in scores)}.")
    if has_intervals:
        what = "Lines are" if is_drawn else "In brackets:"
        parts.append(
            f"{what} intervals of each score alone: that they overlap does not mean that there is no difference."
        )
    if len(scores[0].numbers) > 1:
        parts.append("Bold: best.")
    if parts:
        yield " ".join(parts)
