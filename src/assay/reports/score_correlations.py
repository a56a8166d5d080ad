"""Correlations between scores, as documents."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import BLANK, Cell, Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Estimate, ScoreCorrelation, ScoreCorrelations

__all__ = ["document"]

_DECIMALS = 3


def document(result: ScoreCorrelations) -> Document:
    """Every two scores: pooled, over the test sets, and on samples of the segments."""
    name = "Correlations between scores"
    return Document.of(result, lambda: [Section(tuple(_grids(result)), signatures=(result.signature,))], name=name)


def _grids(result: ScoreCorrelations) -> Iterator[Grid]:
    titles = (result.settings["statistic"], "", "pooled", "n", "mean", "test sets", "lowest", "")
    yield Grid(columns(titles, labels=2), tuple(_row(each) for each in result), tuple(_reasons(result)))
    sizes = [sampled.size for sampled in max((each.samples for each in result), key=len)]
    if sizes:
        sampled_titles = (f"on {result.settings['samples']} samples of", "", *(f"{size:,}" for size in sizes))
        yield Grid(columns(sampled_titles, labels=2), tuple(_sampled_row(each, sizes) for each in result))


def _number(estimate: Estimate) -> Number:
    return Number(estimate.value, _DECIMALS, estimate.low, estimate.high, reason=estimate.reason)


def _reasons(result: ScoreCorrelations) -> list[Caption]:
    """Why values or intervals are undefined, each reason once."""
    return [Caption(reason) for reason in dict.fromkeys(each.pooled.reason for each in result) if reason]


def _row(each: ScoreCorrelation) -> tuple[Cell, ...]:
    lowest = each.lowest
    return (
        Text(each.first),
        Text(each.second),
        _number(each.pooled),
        Count(each.pooled.n),
        Number(each.mean, _DECIMALS),
        Count(len(each.by_test_set)),
        BLANK if lowest is None else Number(lowest[1].value, _DECIMALS),
        BLANK if lowest is None else Text(lowest[0]),
    )


def _sampled_row(each: ScoreCorrelation, sizes: list[int]) -> tuple[Cell, ...]:
    means = {sampled.size: sampled for sampled in each.samples}
    cells = [
        Number(means[size].mean, _DECIMALS, reason=means[size].reason) if size in means else BLANK for size in sizes
    ]
    return (Text(each.first), Text(each.second), *cells)
