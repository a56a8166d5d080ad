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
    """A section for each statistic, with a column for each language pair and each of its domains.

    If outliers are kept and dropped, pairs that have outliers take two columns.
    """
    return Document.of(evaluation, lambda: _sections(evaluation), sheet="statistic")


def _sections(evaluation: MetaEvaluation) -> Iterator[Section]:
    for statistic in dict.fromkeys(measure.statistic for measure in evaluation.measures):
        signature = evaluation.signature_of(statistic)
        yield Section((_grid(evaluation, statistic),), signatures=(signature,))


def _grid(evaluation: MetaEvaluation, statistic: str) -> Grid:
    measures = [measure for measure in evaluation.measures if measure.statistic == statistic]
    shown = _columns(evaluation, measures)
    averaged = measures if len(evaluation.language_pairs) > 1 else []  # the average of one pair is that pair
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
    """Every pair under every measure that it has values of; without outliers only if it has outliers."""
    filled = {column for row in (*evaluation, *evaluation.baselines) for column in row.agreements}
    return [
        MetaColumn(pair.lp, measure)
        for pair in evaluation.language_pairs
        for measure in measures
        if measure.outliers == measures[0].outliers or pair.outliers.systems
        if measure.domain is None or MetaColumn(pair.lp, measure) in filled
    ]


def _count_rows(
    evaluation: MetaEvaluation, shown: Sequence[MetaColumn], usual_n: dict[MetaColumn, int], *, blanks: int
) -> Iterator[tuple[Cell, ...]]:
    """What every column compares: systems or scores of segments; and the pairs if the statistic counts pairs."""
    before = (BLANK,) * blanks
    compared = "systems" if evaluation.settings.get("level") == "system" else "segment scores"
    yield (Text(compared), *before, *(Count(usual_n[column]) for column in shown))
    pairs = [_most_common(evaluation, column, "pairs") for column in shown]
    if any(pairs):
        yield (Text(f"pairs of {compared}"), *before, *map(Count, pairs))


def _most_common(evaluation: MetaEvaluation, column: MetaColumn, count: str) -> int:
    """The count that most metrics have in a column."""
    values = (getattr(row.agreements[column], count) for row in evaluation if column in row.agreements)
    seen = Counter(value for value in values if value is not None)
    return max(seen, key=lambda n: (seen[n], n)) if seen else 0


def _average_title(measure: Measure) -> str:
    title = "average" if measure.outliers == "kept" else "without outliers"
    return title if measure.domain is None else f"{title} {measure.domain}"


def _title(evaluation: MetaEvaluation, column: MetaColumn) -> str:
    """The language pair and the domain; without outliers, how many, beside the column that has them."""
    title = column.lp if column.measure.domain is None else f"{column.lp} {column.measure.domain}"
    if column.measure.outliers == "kept":
        return title
    count = len(next(pair.outliers.systems for pair in evaluation.language_pairs if pair.lp == column.lp))
    without = f"without {count} outlier{'s' if count > 1 else ''}"
    is_beside = any(measure.outliers == "kept" for measure in evaluation.measures)
    return without if is_beside else f"{title} {without}"


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
        for pair in evaluation.language_pairs:
            if pair.outliers.systems:
                yield Caption("outliers in {}: {}", (Text(pair.lp), Text(", ".join(pair.outliers.systems))))
