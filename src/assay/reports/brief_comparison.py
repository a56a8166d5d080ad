"""A comparison of systems on one screen: a table of scores for two systems, of systems for several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from assay.labels.numbers import difference_decimals, percent
from assay.reports.cells import BLANK, Cell, Count, Flag, Flags, Number, RankRange, Text
from assay.reports.documents import Caption, Column, Grid, Section, TitledCells
from assay.reports.labelled import score_text
from assay.reports.record_grid import Look, grid_column, record_cell, shown_columns
from assay.results import ComparedMetric, Outcome, SystemComparison
from assay.results.columns import ResultColumn, Shown
from assay.results.system_comparison import PairRecord
from assay.words.compared_pair import systems_by_score
from assay.words.pairs import how_tested

__all__ = ["brief_sections"]

_MARKS = {Outcome.BETTER: ">", Outcome.WORSE: "<", Outcome.UNDEFINED: "?"}
_NOT_SHOWN, _SELF = "·", " "


def brief_sections(comparison: SystemComparison) -> Iterator[Section]:
    """One table for a pair of systems; for several systems, one for each score, and one of what people gave them."""
    if len(comparison.metrics[0].pairs) == 1:
        grids = [_pair_grid(comparison)]
    else:
        build = _matrix_grid if comparison.baseline is None else _baseline_grid
        grids = [build(metric, comparison) for metric in comparison.metrics]
        grids += [_human_grid(comparison)] if comparison.human else []
    *others, last = grids
    yield from (Section((grid,)) for grid in others)
    yield Section((replace(last, captions=(*last.captions, *_captions(comparison))),))


def _captions(comparison: SystemComparison) -> Iterator[Caption]:
    yield Caption("{}", (Text(how_tested(comparison)),))
    if comparison.human:
        yield Caption("people: human scores that came with the test set; assay rank tests them")


def _pair_grid(comparison: SystemComparison) -> Grid:
    """A row for each score of the two systems, and one for each score that people gave them."""
    records = [PairRecord(metric, metric.pairs[0]) for metric in comparison.metrics]
    first, second = records[0].pair.first, records[0].pair.second
    looks = [_look(comparison, metric) for metric in comparison.metrics]
    human = {name: given for name, given in comparison.human.items() if {first, second} <= given.keys()}
    titles = {"first_score": first, "second_score": second}

    def columns() -> Iterator[TitledCells]:
        names = [_name(metric, " ↓") for metric in comparison.metrics]
        yield Column("", "left"), [*names, *(Text(f"people: {name}") for name in human)]
        for column in _brief(comparison, without=("first", "second")):
            cells = [record_cell(column, record, look) for record, look in zip(records, looks, strict=True)]
            given = [_human_cell(column, scores[first], scores[second]) for scores in human.values()]
            yield _titled(column, looks[0], titles), [*cells, *given]

    return Grid.of(columns(), tuple(_reasons(records)))


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
    order, look = systems_by_score(metric), _look(comparison, metric)
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

    return Grid.of(columns(), tuple(_reasons(records.values())))


def _matrix_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """A row for each system, best first, with its cluster and what is shown of it and each other system."""
    order = systems_by_score(metric)
    best, decimals, numbers = order[0], difference_decimals(metric.scores), range(1, len(order) + 1)

    def columns() -> Iterator[TitledCells]:
        yield _title(metric), [Text(f"{number} {system}") for number, system in zip(numbers, order, strict=True)]
        yield "cluster", [Count(metric.clusters[system]) for system in order]
        yield "score", [Number.of(metric.scores[each], decimals, flags=_flags(metric, each, best)) for each in order]
        level = percent(float(comparison.settings["confidence"]))
        yield f"ranks ({level})", [RankRange(*metric.rank_ranges[system]) for system in order]
        marks = [Text(" ".join(_mark(metric, system, other) for other in order)) for system in order]
        yield " ".join(str(number % 10) for number in numbers), marks

    reasons = _reasons(PairRecord(metric, pair) for pair in metric.pairs)
    explained = Caption("> the system of the row is shown to be better than that of the column, < worse; · not shown")
    return Grid.of(columns(), (*reasons, explained))


def _mark(metric: ComparedMetric, system: str, other: str) -> str:
    return _SELF if system == other else _MARKS.get(metric.pair(system, other).outcome, _NOT_SHOWN)


def _flags(metric: ComparedMetric, system: str, best: str) -> Flags:
    if system == best:
        return frozenset({Flag.BEST})
    return frozenset() if metric.pair(system, best).shows_difference else frozenset({Flag.AMONG_BEST})


def _human_grid(comparison: SystemComparison) -> Grid:
    """What people gave the systems, in the order of the first score."""
    order = systems_by_score(comparison.metrics[0])
    given: Iterator[TitledCells] = (
        (name, [Number(scores[system]) if system in scores else BLANK for system in order])
        for name, scores in comparison.human.items()
    )
    return Grid.of([(Column("people", "left"), [Text(system) for system in order]), *given])


def _brief(comparison: SystemComparison, *, without: tuple[str, ...]) -> list[ResultColumn]:
    """The columns of tables, without those of details and those that stand in titles or rows of their own."""
    shown = shown_columns(comparison.columns, list(comparison.records()), Shown.TABLE)
    return [column for column in shown if column.name not in without]


def _look(comparison: SystemComparison, metric: ComparedMetric) -> Look:
    settings, correction = comparison.settings, comparison.correction
    words: dict[str, str | Text] = {
        "confidence": percent(float(settings["confidence"])),
        "corrected": "" if correction == "none" else f" ({correction})",
        "unit": settings["unit"],
        "delta": settings.get("delta", ""),
    }
    return Look(difference_decimals(metric.scores), float(settings["alpha"]), words)


def _titled(column: ResultColumn, look: Look, titles: Mapping[str, str]) -> Column:
    return Column(titles[column.name]) if column.name in titles else grid_column(column, look.words)


def _title(metric: ComparedMetric) -> Column:
    name = _name(metric, ", lower is better")
    return Column(name.text, "left", label=name.label)


def _name(metric: ComparedMetric, lower: str) -> Text:
    name, direction = score_text(metric.metric, metric.aggregation), "" if metric.higher_is_better else lower
    return Text(f"{name.text}{direction}", label=f"{name.label}{direction}")


def _reasons(records: Iterable[PairRecord]) -> Iterator[Caption]:
    """Why numbers are undefined, each reason once."""
    reasons = dict.fromkeys(record.pair.reason for record in records if record.pair.reason)
    return (Caption("{}", (Text(reason),)) for reason in reasons)
