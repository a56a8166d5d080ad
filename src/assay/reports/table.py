"""A plain table to read on a screen: one block a metric, a column an aggregation, intervals in brackets."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.reports import Renderer, renderer
from assay.results import Disagreement, Estimate, MetricScores, Run, Scores

__all__ = ["Table"]

_FLIPS_SHOWN = 3


@renderer("table")
@dataclass(frozen=True)
class Table(Renderer):
    """Text aligned by display width."""

    suffixes = (".txt",)

    def render(self, run: Run) -> str:
        return "\n".join("".join(f"{line}\n" for line in self._block(run, m)) for m in run.metrics.values())

    def _block(self, run: Run, metric: MetricScores) -> Iterator[str]:
        yield from _aligned([metric.spec, *metric.aggregations], _rows(run, metric.aggregations.values()))
        if metric.disagreement is not None and len(run.systems) > 0:
            yield _disagreement(metric.disagreement)
        yield from _reasons(metric.aggregations.values())
        if metric.groups:
            yield ""
            yield from _aligned([metric.spec, "", *metric.aggregations], _group_rows(run, metric), labels=2)
            yield from _reasons(metric.groups)
        if self.segments:
            yield ""
            header = [metric.spec, *run.systems]
            numbered = enumerate(zip(*metric.segments.values(), strict=True), 1)
            yield from _aligned(header, [[str(i), *(_number(float(v)) for v in row)] for i, row in numbered])
        signature = str(metric.signature)
        if self.sacrebleu and metric.sacrebleu_signature is not None:
            signature = metric.sacrebleu_signature
        yield signature


def _rows(run: Run, columns: Iterable[Scores]) -> list[list[str]]:
    columns = list(columns)
    return [[system, *(_estimate(scores.estimates[system]) for scores in columns)] for system in run.systems]


def _group_rows(run: Run, metric: MetricScores) -> list[list[str]]:
    groups: dict[str, list[Scores]] = {}
    for scores in metric.groups:
        groups.setdefault(scores.group or "", []).append(scores)
    rows = []
    for group, columns in groups.items():
        n = max(e.n for scores in columns for e in scores.estimates.values())
        rows += [[f"{group} ({n})" if i == 0 else "", *row] for i, row in enumerate(_rows(run, columns))]
    return rows


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


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]], *, labels: int = 1) -> Iterator[str]:
    """Lines of a table: the first `labels` columns start together, the numbers after them end together."""
    lines = [header, *rows]
    widths = [max(_width(line[k]) for line in lines) for k in range(len(header))]
    for line in lines:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        cells = [cell + gap if k < labels else gap + cell for k, (cell, gap) in enumerate(zip(line, gaps, strict=True))]
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Terminal columns: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
