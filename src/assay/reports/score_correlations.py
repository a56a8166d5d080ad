"""Correlations between scores, as documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from assay.labels.metrics import metric_label
from assay.labels.statistics import statistic_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells, columns
from assay.reports.labelled import metric_text
from assay.results import Estimate, SampledCorrelation, ScoreCorrelation, ScoreCorrelations
from assay.types.note import plural

__all__ = ["document"]

_DECIMALS = 3
_BOUND_DECIMALS = 2  # of columns that stand side by side


def document(result: ScoreCorrelations) -> Document:
    """Every two scores: pooled, over the language pairs, and on samples of the segments."""
    name = "Correlations between scores"
    return Document.of(
        result,
        lambda: [Section(tuple(_grids(result)), signatures=(result.signature,))],
        name=name,
        paper=lambda: _paper(result, name),
    )


def _paper(result: ScoreCorrelations, name: str) -> Iterator[Section]:
    """A triangle of the pooled values; the list of all pairs, and samples, are details."""
    found = {(each.first, each.second): each for each in result}
    names = list(dict.fromkeys(chain((key[0] for key in found), (key[1] for key in found))))
    rows: list[tuple[Cell, ...]] = []
    most = max(each.pooled.n for each in result)
    for first in names[:-1]:
        pairs = (found.get((first, second)) or found.get((second, first)) for second in names[1:])
        cells = (
            BLANK if each is None or names.index(second) <= names.index(first) else _pooled(each, most)
            for second, each in zip(names[1:], pairs, strict=True)
        )
        rows.append((metric_text(first), *cells))
    header = (Column("", "left"), *(Column(each, label=metric_label(each)) for each in names[1:]))
    statistic, lps = statistic_label(result.settings["statistic"]), {lp for each in result for lp in each.by_lp}
    where = ", ".join((statistic, f"pooled over {plural(most, 'system')}", plural(len(lps), "language pair")))
    yield Section(
        (Grid(header, tuple(rows), tuple(_captions(result, most))),), f"{name} ({where})", (result.signature,)
    )
    for grid in _grids(result):
        yield Section((grid,), name, is_detail=True)


def _pooled(each: ScoreCorrelation, most: int) -> Number:
    return _number(each.pooled, _fewer(each, most))


def _fewer(each: ScoreCorrelation, most: int) -> frozenset[Flag]:
    return frozenset({Flag.OTHER_CELLS} if each.pooled.n < most else ())


def _grids(result: ScoreCorrelations) -> Iterator[Grid]:
    most = max(each.pooled.n for each in result)
    yield Grid.of(_columns(result, most), _captions(result, most))
    if sampled := [each for each in result if each.samples]:
        yield _samples_grid(sampled, result.settings["samples"])


def _captions(result: ScoreCorrelations, most: int) -> Iterator[Caption]:
    """What the marks mean, and why values or intervals are undefined, each reason once."""
    if any(each.pooled.n < most for each in result):
        yield Caption("§: over fewer systems than other values, so do not compare it with them")
    yield from map(Caption, dict.fromkeys(each.pooled.reason for each in result if each.pooled.reason))


def _columns(result: ScoreCorrelations, most: int) -> Iterator[TitledCells]:
    """Every two scores: pooled, the mean over the language pairs, and where they correlate least."""
    statistic = result.settings["statistic"]
    yield Column(statistic, "left", label=statistic_label(statistic)), [metric_text(each.first) for each in result]
    yield Column("", "left"), [metric_text(each.second) for each in result]
    yield "pooled", [_pooled(each, most) for each in result]
    yield "n", [Count(each.pooled.n) for each in result]
    yield "mean", [_number(each.mean, _fewer(each, most)) for each in result]
    yield "language pairs", [Count(each.mean.n) for each in result]
    lowest = [each.lowest for each in result]
    yield "lowest", [BLANK if found is None else Number(found[1].value, _DECIMALS) for found in lowest]
    yield "", [BLANK if found is None else Text(found[0]) for found in lowest]


def _number(estimate: Estimate, flags: frozenset[Flag]) -> Number:
    return Number.of(estimate, _DECIMALS, flags=flags)


def _samples_grid(sampled: list[ScoreCorrelation], count: str) -> Grid:
    sizes = [f"{each.sample_size:,}" for each in sampled[0].samples]
    rows = tuple(_sampled_row(each) for each in sampled)
    return Grid(columns((f"on {count} samples of", "", *sizes), labels=2), rows, tuple(_sample_captions(sampled)))


def _sample_captions(sampled: list[ScoreCorrelation]) -> Iterator[Caption]:
    """What the values on samples are, and why some are undefined."""
    yield Caption("mean over the samples [the middle 95 % of them]")
    if any(each.unsampled for each in sampled):
        yield Caption("(whole): not sampled, because it is a bootstrap score or has no segment scores")
    if any(sample.n != each.pooled.n for each in sampled for sample in each.samples):
        yield Caption("(n): number of systems, where it differs from the table above")
    reasons = dict.fromkeys(sample.reason for each in sampled for sample in each.samples if sample.undefined)
    yield from (Caption(reason) for reason in reasons if reason)


def _sampled_row(each: ScoreCorrelation) -> tuple[Cell, ...]:
    names = (f"{name} (whole)" if name in each.unsampled else name for name in (each.first, each.second))
    return (*map(metric_text, names), *(_sampled_number(sampled, each.pooled.n) for sampled in each.samples))


def _sampled_number(sampled: SampledCorrelation, n: int) -> Number:
    low, high = (round(sampled.quantile(share), 9) for share in (0.025, 0.975))  # 1 may be .999… by rounding errors
    return Number(
        sampled.mean,
        _DECIMALS,
        low,
        high,
        n=sampled.n if sampled.n != n else None,
        bound_decimals=_BOUND_DECIMALS,
        reason=sampled.reason,
    )
