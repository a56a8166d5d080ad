"""Agreement of metrics with human scores on several language pairs, as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from assay.reports.cells import BLANK, Cell, Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import EvaluatedMetric, Measure, MetaColumn, MetaEvaluation

__all__ = ["document"]

_DECIMALS = 3


def document(evaluation: MetaEvaluation) -> Document:
    """A section for each statistic. If outliers are kept and dropped, pairs that have outliers take two columns."""
    return Document.of(evaluation, lambda: _sections(evaluation), sheet="statistic")


def _sections(evaluation: MetaEvaluation) -> Iterator[Section]:
    for statistic in dict.fromkeys(measure.statistic for measure in evaluation.measures):
        signature = evaluation.signature_of(statistic)
        yield Section((_grid(evaluation, statistic),), signatures=(signature,))


def _grid(evaluation: MetaEvaluation, statistic: str) -> Grid:
    measures = [measure for measure in evaluation.measures if measure.statistic == statistic]
    shown = _columns(evaluation, measures)
    averaged = measures if len(evaluation.pairs) > 1 else []  # the average of one pair is that pair
    usual_n = {column: _most_common(evaluation, column, "n") for column in shown}
    baselines = [row for row in evaluation.baselines if any(column.measure in measures for column in row.agreements)]
    rows = [
        (
            Text(row.metric),
            *(Number(row.averages[measure].value, _DECIMALS) for measure in averaged),
            *(_cell(row, column, usual_n[column]) for column in shown),
        )
        for row in (*evaluation, *baselines)
    ]
    titles = (statistic, *map(_average_title, averaged), *(_title(evaluation, column) for column in shown))
    counts = _count_rows(evaluation, shown, usual_n, blanks=len(averaged))
    return Grid(columns(titles), (*counts, *rows), tuple(_captions(evaluation, measures)))


def _columns(evaluation: MetaEvaluation, measures: list[Measure]) -> list[MetaColumn]:
    """Every pair under every measure; a pair without outliers only under the first."""
    return [
        MetaColumn(pair.label, measure)
        for pair in evaluation.pairs
        for measure in measures
        if measure == measures[0] or pair.outliers.systems
    ]


def _count_rows(
    evaluation: MetaEvaluation, shown: Sequence[MetaColumn], usual_n: dict[MetaColumn, int], *, blanks: int
) -> Iterator[tuple[Cell, ...]]:
    """The n of every column, and the pairs if the statistic counts pairs."""
    before = (BLANK,) * blanks
    yield (Text("n"), *before, *(Count(usual_n[column]) for column in shown))
    pairs = [_most_common(evaluation, column, "pairs") for column in shown]
    if any(pairs):
        yield (Text("pairs"), *before, *map(Count, pairs))


def _most_common(evaluation: MetaEvaluation, column: MetaColumn, count: str) -> int:
    """The count that most metrics have in a column."""
    values = (getattr(row.agreements[column], count) for row in evaluation if column in row.agreements)
    seen = Counter(value for value in values if value is not None)
    return max(seen, key=lambda n: (seen[n], n)) if seen else 0


def _average_title(measure: Measure) -> str:
    return "average" if measure.outliers == "kept" else "without outliers"


def _title(evaluation: MetaEvaluation, column: MetaColumn) -> str:
    """The pair, and how many outliers were dropped."""
    if column.measure.outliers == "kept":
        return column.pair
    outliers = next(pair.outliers for pair in evaluation.pairs if pair.label == column.pair)
    return f"{column.pair} -{len(outliers.systems)}"


def _cell(row: EvaluatedMetric, column: MetaColumn, usual_n: int) -> Cell:
    """A value with its interval or, for the mean of random metrics, their standard deviation."""
    if column not in row.agreements:
        return BLANK
    estimate = row.agreements[column].estimate
    return Number(
        estimate.value,
        _DECIMALS,
        low=estimate.low,
        high=estimate.high,
        spread=estimate.standard_error,
        n=None if estimate.n == usual_n else estimate.n,
        reason=estimate.reason,
    )


def _captions(evaluation: MetaEvaluation, measures: list[Measure]) -> Iterator[Caption]:
    if any(measure.outliers == "dropped" for measure in measures):
        for pair in evaluation.pairs:
            if pair.outliers.systems:
                yield Caption("outliers in {}: {}", (Text(pair.label), Text(", ".join(pair.outliers.systems))))
