"""A comparison of systems on one screen: a table of scores for two systems, of systems for several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from assay.labels.numbers import percent
from assay.labels.tests import IN_CLUSTERS
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, RankRange, Text
from assay.reports.compared_systems import PEOPLE, best_flags, human_columns, pair_look, reasons
from assay.reports.documents import Caption, Column, Grid, Section, TitledCells
from assay.reports.labelled import reason_captions, score_text
from assay.reports.record_grid import Look, grid_column, record_cell, shown_columns
from assay.results import ComparedMetric, Outcome, SystemComparison
from assay.results.columns import ResultColumn, Shown
from assay.results.system_comparison import PairRecord
from assay.words.noticed import population_differences, unsaid_reasons
from assay.words.pairs import how_tested

__all__ = ["brief_sections", "human_grid"]

_MARKS = {Outcome.BETTER: ">", Outcome.WORSE: "<", Outcome.UNDEFINED: "?"}
_NOT_SHOWN, _SELF = "·", "-"  # no space: HTML and Markdown would drop it


def brief_sections(comparison: SystemComparison) -> Iterator[Section]:
    """One table for a pair of systems; for several systems, one for each score, and one of what people gave them."""
    if len(comparison.metrics[0].pairs) == 1:
        grids = [_pair_grid(comparison)]
    else:
        build = _matrix_grid if comparison.baseline is None else _baseline_grid
        grids = [build(metric, comparison) for metric in comparison.metrics]
        grids += [human_grid(comparison)] if comparison.human else []
    *others, last = grids
    yield from (Section((grid,)) for grid in others)
    yield Section((replace(last, captions=(*last.captions, *_captions(comparison))),))


def _captions(comparison: SystemComparison) -> Iterator[Caption]:
    if comparison.baseline is None and len(comparison.metrics[0].pairs) > 1:
        yield Caption("> the row is shown to be better than the column, < worse; · no difference shown")
        yield Caption(f"cluster: 1 is best; {IN_CLUSTERS}")
    elif len(comparison.metrics[0].pairs) == 1:
        yield from (Caption("{}", (Text(reason),)) for reason in unsaid_reasons(comparison))
    yield Caption("{}", (Text(how_tested(comparison)),))
    if comparison.human:
        yield PEOPLE


def _pair_grid(comparison: SystemComparison) -> Grid:
    """A row for each score of the two systems, and one for each score that people gave them."""
    records = [PairRecord(metric, metric.pairs[0]) for metric in comparison.metrics]
    first, second = records[0].pair.first, records[0].pair.second
    looks = [pair_look(comparison, metric) for metric in comparison.metrics]
    human = {name: given for name, given in comparison.human.items() if {first, second} <= given.keys()}
    titles = {"first_score": first, "second_score": second}

    def columns() -> Iterator[TitledCells]:
        names = [_name(metric, " ↓") for metric in comparison.metrics]
        yield Column("", "left"), [*names, *(Text(f"people: {name}") for name in human)]
        for column in _brief(comparison, without=("first", "second")):
            cells = [record_cell(column, record, look) for record, look in zip(records, looks, strict=True)]
            given = [_human_cell(column, scores[first], scores[second]) for scores in human.values()]
            yield _titled(column, looks[0], titles), [*cells, *given]

    captions = list(reasons((_name(record.metric, ""), record.pair.reason) for record in records))
    if mixed := population_differences((_name(each.metric, "").label, each.pair.explanation) for each in records):
        captions.append(Caption("{}", (Text(mixed),)))
    if not all(metric.higher_is_better for metric in comparison.metrics):
        captions.append(Caption("↓: lower is better, so that a difference below 0 is in favour of {}", (Text(first),)))
    return Grid.of(columns(), captions)


def _human_cell(column: ResultColumn, first: float, second: float) -> Cell:
    match column.name:
        case "first_score":
            return Number(first)
        case "second_score":
            return Number(second)
        case "difference":
            return Number(first - second, style="signed")
    return BLANK


def _baseline_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """A row for each system, best first, and one for the baseline among them."""
    records = {pair.first: PairRecord(metric, pair) for pair in metric.pairs}
    order, look = metric.best_first, pair_look(comparison, metric)
    baseline = comparison.baseline or ""
    own = Number(metric.scores[baseline].value, look.decimals or 0)

    def columns() -> Iterator[TitledCells]:
        names = [Text(f"{system} (baseline)" if system == baseline else system) for system in order]
        yield _title(metric), names
        for column in _brief(comparison, without=("first", "second", "second_score")):
            blank = own if column.name == "first_score" else BLANK
            found = (records.get(system) for system in order)
            cells = [blank if record is None else record_cell(column, record, look) for record in found]
            yield _titled(column, look, {}), cells

    captions = [*reasons((Text(name), record.pair.reason) for name, record in records.items())]
    unsaid = set(unsaid_reasons(comparison))
    gaps = ((Text(name), record.pair.noticed and record.pair.noticed.reason) for name, record in records.items())
    captions += reason_captions((name, reason) for name, reason in gaps if reason in unsaid)
    return Grid.of(columns(), captions)


def _matrix_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """A row for each system, best first, with its cluster and what is shown of it and each other system."""
    order = metric.best_first
    numbers = range(1, len(order) + 1)
    digits = len(str(len(order)))

    def columns() -> Iterator[TitledCells]:
        yield Column("", "left"), [Text(f"{number:{digits}}") for number in numbers]
        yield _title(metric), map(Text, order)
        yield "cluster", [Count(metric.clusters[system]) for system in order]
        yield (
            "score",
            [Number.of(metric.scores[each], metric.decimals, flags=best_flags(metric, each)) for each in order],
        )
        level = percent(float(comparison.settings["confidence"]))
        yield f"ranks ({level})", [RankRange(*metric.rank_ranges[system]) for system in order]
        aligned = frozenset({Flag.ALIGNED})
        marks = [Text(" ".join(_mark(metric, system, other) for other in order), aligned) for system in order]
        yield " ".join(str(number % 10) for number in numbers), marks

    undefined = reasons((Text(f"{pair.first} and {pair.second}"), pair.reason) for pair in metric.pairs)
    return Grid.of(columns(), undefined)


def _mark(metric: ComparedMetric, system: str, other: str) -> str:
    return _SELF if system == other else _MARKS.get(metric.pair(system, other).outcome, _NOT_SHOWN)


def human_grid(comparison: SystemComparison) -> Grid:
    """What people gave the systems, in the order of the first score."""
    order = comparison.metrics[0].best_first
    return Grid.of([(Column("people", "left"), map(Text, order)), *human_columns(comparison, order)])


def _brief(comparison: SystemComparison, *, without: tuple[str, ...]) -> list[ResultColumn]:
    """The columns of tables, without those of details and those that stand in titles or rows of their own."""
    shown = shown_columns(comparison.columns, list(comparison.records()), Shown.TABLE)
    return [column for column in shown if column.name not in without]


def _titled(column: ResultColumn, look: Look, titles: Mapping[str, str]) -> Column:
    return Column(titles[column.name]) if column.name in titles else grid_column(column, look.words)


def _title(metric: ComparedMetric) -> Column:
    name = _name(metric, ", lower is better")
    return Column(name.text, "left", label=name.label)


def _name(metric: ComparedMetric, lower: str) -> Text:
    name, direction = score_text(metric.metric, metric.aggregation), "" if metric.higher_is_better else lower
    return Text(f"{name.text}{direction}", label=f"{name.label}{direction}")
