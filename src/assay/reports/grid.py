"""A run as grids of text cells, which the readable forms (table, Markdown, LaTeX) only have to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.results import Disagreement, Estimate, MetricScores, Run, Scores

__all__ = ["Grid", "grids"]

_FLIPS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Grid:
    """A header and rows of cells, the first `labels` of them text and the others numbers; and lines to say below."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1
    remarks: tuple[str, ...] = ()


def grids(metric: MetricScores, run: Run, *, segments: bool) -> Iterator[Grid]:
    """The scores of one metric: of the whole test set, of groups if there are any, of segments if wanted."""
    columns = list(metric.aggregations.values())
    found = metric.disagreement
    remarks = [] if found is None or math.isnan(found.largest) else [_disagreement(found)]
    yield Grid(
        header=(f"{metric.spec} ({_n(columns)})", *metric.aggregations),
        rows=tuple(_rows(run, columns)),
        remarks=(*remarks, *_reasons(columns)),
    )
    if metric.groups:
        yield Grid(
            header=(metric.spec, "", *metric.aggregations),
            rows=tuple(_group_rows(run, metric)),
            labels=2,
            remarks=tuple(_reasons(metric.groups)),
        )
    if segments:
        numbered = enumerate(zip(*metric.segments.values(), strict=True), 1)
        yield Grid(
            header=(metric.spec, *run.systems),
            rows=tuple((str(i), *(_number(float(value)) for value in row)) for i, row in numbered),
        )


def _rows(run: Run, columns: list[Scores]) -> Iterator[tuple[str, ...]]:
    for system in run.systems:
        yield (system, *(_estimate(scores.estimates[system]) for scores in columns))


def _group_rows(run: Run, metric: MetricScores) -> Iterator[tuple[str, ...]]:
    groups: dict[str, list[Scores]] = {}
    for scores in metric.groups:
        groups.setdefault(scores.group or "", []).append(scores)
    for group, columns in groups.items():
        for i, row in enumerate(_rows(run, columns)):
            yield (f"{group} ({_n(columns)})" if i == 0 else "", *row)


def _n(columns: list[Scores]) -> str:
    """How many segments the scores are over."""
    counts = {estimate.n for scores in columns for estimate in scores.estimates.values()}
    return f"n={max(counts)}" if len(counts) == 1 else f"n={min(counts)}-{max(counts)}"


def _disagreement(found: Disagreement) -> str:
    text = f"corpus and segment differ by up to {found.largest:.2f} ({found.system})"
    if found.pairs == 0:
        return text
    pairs = ", ".join(f"{a} / {b}" for a, b in found.flips[:_FLIPS_SHOWN])
    more = f" and {len(found.flips) - _FLIPS_SHOWN} more" if len(found.flips) > _FLIPS_SHOWN else ""
    where = f": {pairs}{more}" if found.flips else ""
    return f"{text} and order {len(found.flips)} of {found.pairs} system pairs differently{where}"


def _reasons(columns: Iterable[Scores]) -> Iterator[str]:
    for scores in columns:
        for system, estimate in scores.estimates.items():
            if estimate.reason is not None:
                where = f", {scores.group}" if scores.group else ""
                yield f"{system}, {scores.aggregation}{where}: {estimate.reason}"


def _estimate(estimate: Estimate) -> str:
    if math.isnan(estimate.low):
        return _number(estimate.value)
    return f"{_number(estimate.value)} [{_number(estimate.low)}, {_number(estimate.high)}]"


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"
