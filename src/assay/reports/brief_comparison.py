"""A comparison of systems on one screen: a table of scores for two systems, of systems for several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from assay.labels.numbers import difference_decimals, percent
from assay.reports.cells import BLANK, Cell, Count, Flag, Flags, Number, RankRange, Text
from assay.reports.documents import Caption, Column, Grid, Section
from assay.reports.labelled import score_text
from assay.reports.record_grid import Look, grid_column, record_cell, shown_columns
from assay.results import ComparedMetric, Outcome, SystemComparison
from assay.results.columns import ResultColumn, Shown
from assay.results.system_comparison import PairRecord
from assay.words.compared_pair import systems_by_score
from assay.words.pairs import how_tested

__all__ = ["brief_sections"]

_NAMES = ("first", "second", "second_score")  # of columns that stand in titles or rows of their own
_SHOWN = {Outcome.BETTER: ">", Outcome.WORSE: "<", Outcome.UNDEFINED: "?"}
_NOT_SHOWN, _SELF = "·", " "


def brief_sections(comparison: SystemComparison) -> Iterator[Section]:
    """One table for a pair of systems; for several systems, one for each score."""
    captions = (Caption("{}", (Text(how_tested(comparison)),)), *_human_caption(comparison))
    if len(comparison.metrics[0].pairs) == 1:
        yield Section((_pair_grid(comparison, captions),))
        return
    build = _systems_grid if comparison.baseline is None else _baseline_grid
    last = len(comparison.metrics) - 1
    for number, metric in enumerate(comparison.metrics):
        grid = build(metric, comparison)
        yield Section((replace(grid, captions=(*grid.captions, *captions)) if number == last else grid,))


def _pair_grid(comparison: SystemComparison, captions: Sequence[Caption]) -> Grid:
    """A row for each score of the two systems, and one for what people gave them."""
    records = [PairRecord(metric, metric.pairs[0]) for metric in comparison.metrics]
    first, second = records[0].pair.first, records[0].pair.second
    shown = [column for column in _brief(comparison) if column.name not in ("first", "second")]
    looks = [_look(comparison, record.metric, {"first_score": first, "second_score": second}) for record in records]
    rows: list[tuple[Cell, ...]] = [
        (_score(record.metric), *(record_cell(column, record, look) for column in shown))
        for record, look in zip(records, looks, strict=True)
    ]
    rows += [
        (Text(f"people: {name}"), *(_human_cell(column.name, scores, (first, second)) for column in shown))
        for name, scores in comparison.human.items()
        if {first, second} <= scores.keys()
    ]
    header = (Column("", "left"), *(_titled(column, looks[0]) for column in shown))
    return Grid(header, tuple(rows), (*_reasons(records), *captions))


def _human_cell(column: str, scores: Mapping[str, float], systems: tuple[str, str]) -> Cell:
    first, second = (scores[system] for system in systems)
    match column:
        case "first_score":
            return Number(first)
        case "second_score":
            return Number(second)
        case "difference":
            return Number(first - second, style="signed")
    return BLANK


def _human_caption(comparison: SystemComparison) -> Iterator[Caption]:
    if comparison.human:
        yield Caption("people: human scores that came with the test set; assay rank tests them")


def _baseline_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """A row for each system, best first, and one for the baseline among them."""
    records = {pair.first: PairRecord(metric, pair) for pair in metric.pairs}
    baseline = comparison.baseline or ""
    shown = [column for column in _brief(comparison) if column.name not in _NAMES]
    look = _look(comparison, metric, {"first_score": "score"})
    rows: list[tuple[Cell, ...]] = []
    for system in systems_by_score(metric):
        if system in records:
            cells = [record_cell(column, records[system], look) for column in shown]
        else:
            own = Number(metric.scores[system].value, difference_decimals(metric.scores))
            cells = [own if column.name == "first_score" else BLANK for column in shown]
        rows.append(
            (Text(f"{system} (baseline)" if system == baseline else system), *cells, *_human(comparison, system))
        )
    header = (_title(metric), *(_titled(column, look) for column in shown), *map(_human_column, comparison.human))
    return Grid(header, tuple(rows), tuple(_reasons(records.values())))


def _systems_grid(metric: ComparedMetric, comparison: SystemComparison) -> Grid:
    """A row for each system, best first, with its cluster and what is shown of it and each other system."""
    order = systems_by_score(metric)
    best, decimals = order[0], difference_decimals(metric.scores)
    rows = tuple(
        (
            Text(f"{number} {system}"),
            Count(metric.clusters[system]),
            Number.of(metric.scores[system], decimals, flags=_flags(metric, system, best)),
            RankRange(*metric.rank_ranges[system]),
            *_human(comparison, system),
            Text(" ".join(_SELF if other == system else _mark(metric, system, other) for other in order)),
        )
        for number, system in enumerate(order, 1)
    )
    header = (
        _title(metric),
        Column("cluster"),
        Column("score"),
        Column(f"ranks ({percent(float(comparison.settings['confidence']))})"),
        *map(_human_column, comparison.human),
        Column(" ".join(str(number % 10) for number in range(1, len(order) + 1))),
    )
    marks = Caption("> the system of the row is shown to be better than that of the column, < worse; · not shown")
    reasons = _reasons(PairRecord(metric, pair) for pair in metric.pairs)
    return Grid(header, rows, (*reasons, marks))


def _mark(metric: ComparedMetric, system: str, other: str) -> str:
    return _SHOWN.get(metric.pair(system, other).outcome, _NOT_SHOWN)


def _flags(metric: ComparedMetric, system: str, best: str) -> Flags:
    if system == best:
        return frozenset({Flag.BEST})
    return frozenset() if metric.pair(system, best).shows_difference else frozenset({Flag.AMONG_BEST})


def _human(comparison: SystemComparison, system: str) -> Iterator[Cell]:
    return (Number(scores[system]) if system in scores else BLANK for scores in comparison.human.values())


def _human_column(name: str) -> Column:
    return Column(f"people: {name}")


def _brief(comparison: SystemComparison) -> list[ResultColumn]:
    return shown_columns(comparison.columns, list(comparison.records()), Shown.TABLE)


def _look(comparison: SystemComparison, metric: ComparedMetric, titles: Mapping[str, str]) -> Look:
    """The words of titles, and by the name of a column another title."""
    settings, correction = comparison.settings, comparison.correction
    words: dict[str, str | Text] = {
        "confidence": percent(float(settings["confidence"])),
        "corrected": "" if correction == "none" else f" ({correction})",
        "unit": settings["unit"],
        "delta": settings.get("delta", ""),
        **titles,
    }
    return Look(difference_decimals(metric.scores), float(settings["alpha"]), words)


def _titled(column: ResultColumn, look: Look) -> Column:
    if column.name in look.words:
        return Column(str(look.words[column.name]))
    return grid_column(column, {"score": "", "other": "", **look.words})


def _title(metric: ComparedMetric) -> Column:
    name = score_text(metric.metric, metric.aggregation)
    direction = "" if metric.higher_is_better else ", lower is better"
    return Column(f"{name.text}{direction}", "left", label=f"{name.label}{direction}")


def _score(metric: ComparedMetric) -> Text:
    name = score_text(metric.metric, metric.aggregation)
    arrow = "" if metric.higher_is_better else " ↓"
    return Text(f"{name.text}{arrow}", label=f"{name.label}{arrow}")


def _reasons(records: Iterable[PairRecord]) -> Iterator[Caption]:
    """Why numbers are undefined, each reason once."""
    reasons = dict.fromkeys(record.pair.reason for record in records if record.pair.reason)
    return (Caption("{}", (Text(reason),)) for reason in reasons)
