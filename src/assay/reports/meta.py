"""Agreement of metrics with human scores on several language pairs, as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from assay.labels.intervals import interval_words
from assay.labels.numbers import percent
from assay.labels.statistics import agreement_label, statistic_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text, with_best
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells, grouped
from assay.reports.labelled import FEWER_SYSTEMS, metric_text
from assay.reports.metric_differences import (
    p_value_section,
    rank_captions,
    rank_column,
    winner_captions,
    with_winners,
)
from assay.reports.record_grid import record_columns
from assay.results import Agreement, Estimate, EvaluatedMetric, Measure, MetaColumn, MetaEvaluation
from assay.results.agreement import CELLS, EPSILON, MONTE_CARLO_ERROR, NOT_ON_COMMON_CELLS
from assay.results.columns import Shown
from assay.results.meta import lacks_systems, usual_systems
from assay.results.metric_differences import usual
from assay.types.note import listed, plural

__all__ = ["document"]

_DECIMALS = 3
_WIDE = 0.1
_MAX_NAMES = 4
_WITHOUT = "−out."
_Place: TypeAlias = tuple[str | None, Measure]
"""Where values stand: by a measure, on a language pair or in the average over all (None)."""


def document(evaluation: MetaEvaluation, *, p_values: bool = False) -> Document:
    """A section for each statistic, with a column for each language pair and each of its domains.

    If outliers are kept and dropped, pairs that have outliers take two columns. `p_values` adds the matrices of
    the tests between metrics.
    """
    name = "Agreement of metrics with people"
    return Document.of(
        evaluation,
        lambda: _sections(evaluation, p_values),
        lists=Shown.TABLE | Shown.PAPER,
        sheet="statistic",
        name=name,
        paper=lambda: _paper(evaluation, p_values),
    )


def _sections(evaluation: MetaEvaluation, p_values: bool) -> Iterator[Section]:
    for statistic in dict.fromkeys(measure.statistic for measure in evaluation.measures):
        signature = evaluation.signature_of(statistic)
        grids = (_grid(evaluation, statistic), *_threshold_grids(evaluation, statistic))
        yield Section(grids, signatures=(signature,))
    if p_values:
        yield from map(p_value_section, evaluation.tests)


def _paper(evaluation: MetaEvaluation, p_values: bool) -> Iterator[Section]:
    """A table for each statistic, in which winners of the tests have marks; thresholds and p-values are details."""
    for statistic in dict.fromkeys(measure.statistic for measure in evaluation.measures):
        title = _paper_title(evaluation, statistic)
        yield Section((_grid(evaluation, statistic, is_paper=True),), title, (evaluation.signature_of(statistic),))
        for grid in _threshold_grids(evaluation, statistic):
            yield Section(
                (grid,), f"Thresholds up to which pairs are tied: {statistic_label(statistic)}", is_detail=True
            )
    if p_values:
        for section in map(p_value_section, evaluation.tests):
            yield replace(section, title=f"Tests between metrics: {section.title}", is_detail=True)


def _paper_title(evaluation: MetaEvaluation, statistic: str) -> str:
    """The statistic, and what it is of."""
    settings = evaluation.settings
    level = f"{settings['level']} level" if "level" in settings else ""
    lps = list(dict.fromkeys(pair.lp for pair in evaluation.language_pairs))
    pairs = lps[0] if len(lps) == 1 else plural(len(lps), "language pair")
    what = dict.fromkeys((settings.get("data"), pairs, settings.get("gold"), level, plural(len(evaluation), "metric")))
    return f"{agreement_label(statistic)} ({', '.join(filter(None, what))})"


def _threshold_grids(evaluation: MetaEvaluation, statistic: str) -> Iterator[Grid]:
    """The thresholds up to which pairs were tied, for statistics that calibrate them."""
    measures = [measure for measure in evaluation.measures if measure.statistic == statistic]
    shown = _columns(evaluation, measures)
    if not any(EPSILON in agreement.details for agreement in _agreements(evaluation, shown)):
        return
    rows = evaluation.by_statistic(statistic)
    first = Column(f"{statistic}: epsilon", "left", label=f"{statistic_label(statistic)}: epsilon")
    thresholds = ((_title(evaluation, column), [_threshold(row, column) for row in rows]) for column in shown)
    yield Grid.of([(first, [metric_text(row.metric) for row in rows]), *thresholds])


def _threshold(row: EvaluatedMetric, column: MetaColumn) -> Cell:
    epsilon = row.agreements[column].details.get(EPSILON) if column in row.agreements else None
    return BLANK if epsilon is None else Text(f"{float(epsilon):.4g}")


def _grid(evaluation: MetaEvaluation, statistic: str, *, is_paper: bool = False) -> Grid:
    """Metrics by language pairs. The tests give ranks; in a paper marks, and the statistic is in the caption."""
    measures = [measure for measure in evaluation.measures if measure.statistic == statistic]
    shown = _columns(evaluation, measures)
    averaged = measures if len(evaluation.language_pairs) > 1 else []  # the average of one pair is that pair
    baselines = [row for row in evaluation.baselines if any(column.measure in measures for column in row.agreements)]
    ranked, counts = evaluation.by_statistic(statistic), _counts(evaluation, shown)
    rows, blanks = (*ranked, *baselines), [BLANK] * len(counts)
    metrics = [*(None for _ in counts), *(row.metric for row in rows)]
    named = Column("metric", "left") if is_paper else Column(statistic, "left", label=statistic_label(statistic))
    columns: list[TitledCells] = [
        (Column("rank", "left"), [*blanks, *(_rank(row, statistic) for row in rows)]),
        (named, [*map(Text, counts), *(metric_text(row.metric) for row in rows)]),
    ]
    places: list[_Place] = [*((None, measure) for measure in averaged), *shown]
    tests = {place: test for place in places if (test := evaluation.test_of(*place))}
    for place in places:
        above = [cells.get(place, BLANK) for cells in counts.values()]
        title, values = _values(evaluation, place, rows, shown)
        cells = [*above, *with_best(values[: len(ranked)]), *values[len(ranked) :]]
        beside = _beside(evaluation, place, metrics, Shown.PAPER if is_paper else Shown.TABLE)
        if is_paper:
            title, cells = _paper_title_of(title, place, measures), with_winners(cells, metrics, tests.get(place))
        elif place in tests:
            beside.insert(0, rank_column(metrics, tests[place]))
        columns += grouped((title, cells), beside)
    captions = (
        *_row_captions(evaluation, measures[0], baselines),
        *_tie_captions(evaluation, shown),
        *((Caption(f"{_WITHOUT}: without outliers"),) if any(map(_is_abbreviated, columns)) else ()),
        *_captions(evaluation, measures),
        *_interval_captions(evaluation, shown, is_averaged=bool(averaged)),
        *(winner_captions if is_paper else rank_captions)(list(tests.values())),
    )
    return Grid.of(columns, captions)


def _rank(row: EvaluatedMetric, statistic: str) -> Cell:
    return Text(str(row.ranks[statistic])) if row.ranks else BLANK


def _values(
    evaluation: MetaEvaluation, place: _Place, rows: Sequence[EvaluatedMetric], shown: Sequence[MetaColumn]
) -> tuple[Column, list[Cell]]:
    """The values by a measure, on a language pair or in the average."""
    (lp, measure), decimals = place, _bound_decimals(evaluation, shown)
    if lp is None:
        return Column(_average_title(measure)), [_average(row, measure, decimals) for row in rows]
    column, counted = MetaColumn(lp, measure), _counted(evaluation, shown)
    usual_n = _most_common(evaluation, column, counted)
    return _header(evaluation, column, shown), [_cell(row, column, counted, usual_n, decimals) for row in rows]


def _beside(
    evaluation: MetaEvaluation, place: _Place, metrics: Sequence[str | None], form: Shown
) -> list[tuple[Column, list[Cell]]]:
    """The columns that the result declares for tables, which stand beside each value."""
    if not any(form in column.shown for column in evaluation.columns):
        return []
    found = {each["metric"]: each for each in evaluation.records() if (each["lp"], each["measure"]) == place}
    return record_columns(evaluation.columns, [found.get(metric) for metric in metrics], forms=form)


def _paper_title_of(column: Column, place: _Place, measures: Sequence[Measure]) -> Column:
    """Columns without outliers have a short title below that of all systems, as in Mathur et al. 2020."""
    lp, measure = place
    is_alone = not column.group and lp is not None
    if not _is_kept_and_dropped(measures) or measure.domain is not None or is_alone:
        return column
    return replace(column, group=column.group or "average", short=_WITHOUT if measure.outliers == "dropped" else "all")


def _is_abbreviated(column: TitledCells) -> bool:
    title, _ = column
    return isinstance(title, Column) and title.short == _WITHOUT


def _is_kept_and_dropped(measures: Iterable[Measure]) -> bool:
    return len({measure.outliers for measure in measures}) > 1


def _bound_decimals(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> int:
    """Two decimals are enough for bounds if most intervals are wide."""
    widths = sorted(
        agreement.estimate.high - agreement.estimate.low
        for row in evaluation
        for column, agreement in row.agreements.items()
        if column in shown and not math.isnan(agreement.estimate.low)
    )
    return _DECIMALS - 1 if widths and widths[len(widths) // 2] >= _WIDE else _DECIMALS


def _columns(evaluation: MetaEvaluation, measures: list[Measure]) -> list[MetaColumn]:
    """Every pair under every measure that it has values of; without outliers only if it has outliers."""
    filled = {column for row in (*evaluation, *evaluation.baselines) for column in row.agreements}
    return [
        MetaColumn(pair.lp, measure)
        for pair in evaluation.language_pairs
        for measure in measures
        if measure.outliers == measures[0].outliers or pair.outliers.systems
        if measure.domain is None or MetaColumn(pair.lp, measure) in filled
    ]


def _counted(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> str:
    """What tells how much a value rests on: the pairs of outputs of rankings, else the systems or segment scores."""
    is_ranked = evaluation.settings.get("grouping") == "ranking"
    has_pairs = any(agreement.pairs is not None for agreement in _agreements(evaluation, shown))
    return "pairs" if is_ranked and has_pairs else "n"


def _compared(evaluation: MetaEvaluation) -> str:
    if evaluation.settings.get("level") == "system":
        return "systems"
    if evaluation.settings.get("level") == "span":
        return "ratings"
    return "ranked outputs" if evaluation.settings.get("grouping") == "ranking" else "segment scores"


def _counts(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> dict[str, Mapping[_Place, Cell]]:
    """What every column compares: systems or scores of segments; and the pairs if the statistic counts pairs."""
    compared, counted = _compared(evaluation), _counted(evaluation, shown)
    n, pairs = ({each: _most_common(evaluation, each, count) for each in shown} for count in ("n", "pairs"))
    found = {compared: n} if counted == "n" else {}
    if counted == "pairs" or any(pairs.values()):
        found[f"pairs of {compared}"] = pairs
    if counted == "n" and compared == "systems" and _is_drawn(evaluation, shown):
        found["segment scores"] = {each: _usual_cells(evaluation, each) for each in shown}
    return {name: {column: Count(count) for column, count in counts.items()} for name, counts in found.items()}


def _is_drawn(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> bool:
    """Whether the statistic of these columns draws at random, as soft pairwise accuracy does from segment scores."""
    return any(MONTE_CARLO_ERROR in agreement.details for agreement in _agreements(evaluation, shown))


def _agreements(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> Iterator[Agreement]:
    for row in (*evaluation, *evaluation.baselines):
        yield from (row.agreements[column] for column in shown if column in row.agreements)


def _usual_cells(evaluation: MetaEvaluation, column: MetaColumn) -> int:
    """The number of outputs that most metrics have in a column."""
    return usual(int(row.agreements[column].details.get(CELLS, 0)) for row in evaluation if column in row.agreements)


def _most_common(evaluation: MetaEvaluation, column: MetaColumn, count: str) -> int:
    """The count that most metrics have in a column."""
    rows = evaluation.metrics or evaluation.baselines
    values = (getattr(row.agreements[column], count) for row in rows if column in row.agreements)
    return usual(value for value in values if value is not None)


def _average_title(measure: Measure) -> str:
    title = "average" if measure.outliers == "kept" else "without outliers"
    return title if measure.domain is None else f"{title} {measure.domain}"


def _header(evaluation: MetaEvaluation, column: MetaColumn, shown: Sequence[MetaColumn]) -> Column:
    """The title; columns of the same language pair form a group."""
    title = _title(evaluation, column)
    if sum(other.lp == column.lp for other in shown) == 1:
        return Column(title)
    return Column(title, group=column.lp, short=title.removeprefix(column.lp).strip() or "all")


def _title(evaluation: MetaEvaluation, column: MetaColumn) -> str:
    """The language pair and the domain; without outliers, how many, beside the column that has them."""
    title = column.lp if column.measure.domain is None else f"{column.lp} {column.measure.domain}"
    if column.measure.outliers == "kept":
        return title
    count = len(next(pair.outliers.systems for pair in evaluation.language_pairs if pair.lp == column.lp))
    without = f"without {count} outlier{'s' if count > 1 else ''}"
    is_beside = any(measure.outliers == "kept" for measure in evaluation.measures)
    return without if is_beside else f"{title} {without}"


def _cell(row: EvaluatedMetric, column: MetaColumn, counted: str, usual_n: int, bound_decimals: int) -> Cell:
    if column not in row.agreements:
        return BLANK
    agreement = row.agreements[column]
    count: int | None = getattr(agreement, counted)
    n = None if count == usual_n else count
    return _number(agreement.estimate, bound_decimals, n=n, is_marked=NOT_ON_COMMON_CELLS in agreement.details)


def _average(row: EvaluatedMetric, measure: Measure, bound_decimals: int) -> Cell:
    parts = (agreement for column, agreement in row.agreements.items() if column.measure == measure)
    is_marked = any(NOT_ON_COMMON_CELLS in agreement.details for agreement in parts)
    return _number(row.averages[measure], bound_decimals, is_marked=is_marked)


def _number(estimate: Estimate, bound_decimals: int, *, n: int | None = None, is_marked: bool = False) -> Number:
    """A value with its interval or, for the mean of random metrics, their standard deviation."""
    return Number.of(
        estimate,
        _DECIMALS,
        spread=estimate.standard_deviation,
        n=n,
        bound_decimals=bound_decimals,
        flags=frozenset({Flag.OTHER_CELLS} if is_marked else ()),
    )


def _row_captions(
    evaluation: MetaEvaluation, measure: Measure, baselines: Sequence[EvaluatedMetric]
) -> Iterator[Caption]:
    """Which metrics come last whatever their value, and what ± is."""
    columns = [MetaColumn(pair.lp, measure) for pair in evaluation.language_pairs]
    systems = {column: usual_systems(evaluation, column) for column in columns}
    if any(lacks_systems(row.agreements, systems) for row in evaluation):
        text = "metrics on fewer systems than most, in parentheses, come after the others whatever their values"
        yield Caption("{}", (Text(text, label=FEWER_SYSTEMS),))
    if any(not math.isnan(a.estimate.standard_deviation) for row in baselines for a in row.agreements.values()):
        words = "± in the row of the random metric: standard deviation over random metrics"
        yield Caption(words, role="intervals")


def _tie_captions(evaluation: MetaEvaluation, shown: Sequence[MetaColumn]) -> Iterator[Caption]:
    """What a number in parentheses is, where metrics tie all systems in some groups, which are left out for them."""
    grouping = evaluation.settings.get("grouping", "none")
    shares = {
        row.agreements[column].defined_share for row in evaluation for column in shown if column in row.agreements
    }
    if grouping in ("item", "system") and len(shares) > 1:
        group = "segment" if grouping == "item" else grouping
        text = (
            f"in parentheses: segment scores behind the value; a {group} in which a metric ties all is left out for it"
        )
        yield Caption("{}", (Text(text, label=f"A number {text}."),))


def _captions(evaluation: MetaEvaluation, measures: list[Measure]) -> Iterator[Caption]:
    found = [*_agreements(evaluation, _columns(evaluation, measures))]
    errors = [float(each.details[MONTE_CARLO_ERROR]) for each in found if MONTE_CARLO_ERROR in each.details]
    if errors:
        yield Caption(
            "Monte-Carlo error (standard error over random draws): at most {}", (Text(f"{max(errors):g}"),), "remark"
        )
    if any(NOT_ON_COMMON_CELLS in each.details for each in found):
        yield Caption("§: not over common cells, because the metric or the human scores have no segment scores")
    if any(measure.outliers == "dropped" for measure in measures):
        for pair in evaluation.language_pairs:
            if pair.outliers.systems:
                yield Caption("outliers in {}: {}", (Text(pair.lp), Text(", ".join(pair.outliers.systems))))
    if {measure.outliers for measure in measures} == {"kept", "dropped"}:
        yield from _missing_outliers(evaluation)


def _missing_outliers(evaluation: MetaEvaluation) -> Iterator[Caption]:
    """Metrics that never had some outlier: less is dropped for them than for the others."""
    for pair in evaluation.language_pairs:
        metrics: dict[tuple[str, ...], list[str]] = {}
        for row in evaluation:
            if missing := row.missing_outliers(pair):
                metrics.setdefault(missing, []).append(row.metric)
        for outliers, names in metrics.items():
            yield Caption(
                "no scores of the outlier {}: {}; do not compare the change without outliers with that of others",
                (Text(", ".join(outliers)), Text(listed(names, _MAX_NAMES))),
            )


def _interval_captions(
    evaluation: MetaEvaluation, shown: Sequence[MetaColumn], *, is_averaged: bool
) -> Iterator[Caption]:
    """How the intervals were made, and which values have none."""
    rows = evaluation.metrics or evaluation.baselines
    cells = [(row, row.agreements[column].estimate) for row in rows for column in shown if column in row.agreements]
    bases = [estimate.basis for _, estimate in cells if estimate.basis is not None]
    if bases:
        combined = "; averages: language pairs taken as independent" if is_averaged else ""
        words = f"{percent(bases[0].confidence)} intervals: {interval_words(bases)}{combined}"
        yield Caption(words, role="intervals")
    without: dict[str, dict[str, None]] = {}
    for row, estimate in cells:
        if estimate.reason is not None and math.isnan(estimate.low) and not math.isnan(estimate.value):
            without.setdefault(estimate.reason, {})[row.metric] = None
    for reason, metrics in without.items():
        if len(metrics) == len(rows):
            yield Caption("{}", (Text(reason),), "intervals")
        else:
            yield Caption("{}: {}", (Text(listed(list(metrics), _MAX_NAMES)), Text(reason)), "intervals")
