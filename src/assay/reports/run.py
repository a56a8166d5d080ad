"""The scores of a run as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section, decimals_for, number
from assay.results import Disagreement, Estimate, MetricScores, Run, Scores

__all__ = ["RunDocument"]

_FLIPS_SHOWN = 3


@dataclass(frozen=True)
class RunDocument(Document):
    """A section for each metric; `segments` adds the score of each segment, `sacrebleu` uses its signatures."""

    run: Run
    segments: bool = False
    sacrebleu: bool = False

    columns: ClassVar = {
        "system": str,
        "metric": str,
        "aggregation": str,
        "group": str,
        "value": float,
        "low": float,
        "high": float,
        "standard_error": float,
        "n": int,
        "reason": str,
        "signature": str,
    }
    sheet: ClassVar = "metric"

    def sections(self) -> Iterator[Section]:
        """Of each metric: the whole test set, groups if there are any, segments if wanted."""
        for metric in self.run.metrics.values():
            yield Section(tuple(self._grids(metric)), tuple(self._signatures(metric)))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every score, and with `segments` each segment's too, as group `segment:17` under the aggregation `none`."""
        tree = self.tree()
        for row in tree["scores"]:
            yield {name: row[name] for name in self.columns}
        for scores in tree.get("segment_scores", []):
            same = {name: scores[name] for name in ("system", "metric", "signature")}
            for position, value in enumerate(scores["values"], 1):
                row = {"aggregation": "none", "group": f"segment:{position}", "value": value}
                yield dict.fromkeys(self.columns) | same | row | {"n": int(value is not None)}

    def tree(self) -> dict[str, Any]:
        """Version 1 of the schema in docs/formats.md."""
        return self.run.to_dict(segments=self.segments, sacrebleu=self.sacrebleu)

    def _grids(self, metric: MetricScores) -> Iterator[Grid]:
        columns = list(metric.aggregations.values())
        decimals = decimals_for(value for scores in columns for value in scores.values())
        found = metric.disagreement
        remarks = [] if found is None or math.isnan(found.largest) else [_disagreement(found, decimals)]
        yield Grid(
            header=(f"{metric.spec} ({_n(columns)}{_direction(metric)})", *metric.aggregations),
            rows=tuple(self._rows(columns, decimals)),
            remarks=(*remarks, *_reasons(columns)),
        )
        if metric.groups:
            yield Grid(
                header=(metric.spec, "", *metric.aggregations),
                rows=tuple(self._group_rows(metric, decimals)),
                labels=2,
                remarks=tuple(_reasons(metric.groups)),
            )
        if self.segments:
            numbered = enumerate(zip(*metric.segments.values(), strict=True), 1)
            yield Grid(
                header=(metric.spec, *self.run.systems),
                rows=tuple((str(i), *(number(float(value), decimals) for value in row)) for i, row in numbered),
            )

    def _rows(self, columns: list[Scores], decimals: int) -> Iterator[tuple[str, ...]]:
        for system in self.run.systems:
            yield (system, *(_estimate(scores.estimates[system], decimals) for scores in columns))

    def _group_rows(self, metric: MetricScores, decimals: int) -> Iterator[tuple[str, ...]]:
        groups: dict[str, list[Scores]] = {}
        for scores in metric.groups:
            groups.setdefault(scores.group or "", []).append(scores)
        for group, columns in groups.items():
            for i, row in enumerate(self._rows(columns, decimals)):
                yield (f"{group} ({_n(columns)})" if i == 0 else "", *row)

    def _signatures(self, metric: MetricScores) -> Iterator[str]:
        """Of the headline score; and for every aggregation with another form of the metric the options that differ."""
        yield metric.signature_text(metric.headline, sacrebleu=self.sacrebleu)
        usual = metric.signature.parameters
        for name, scores in metric.aggregations.items():
            differing = [f"{key}:{value}" for key, value in scores.signature.parameters if (key, value) not in usual]
            if differing:
                yield f"{name}: {'|'.join(differing)}"


def _direction(metric: MetricScores) -> str:
    """Higher is better unless it is said."""
    return "" if metric.higher_is_better else ", lower is better"


def _n(columns: list[Scores]) -> str:
    """How many segments the scores are over."""
    counts = {estimate.n for scores in columns for estimate in scores.estimates.values()}
    return f"n={max(counts)}" if len(counts) == 1 else f"n={min(counts)}-{max(counts)}"


def _disagreement(found: Disagreement, decimals: int = 2) -> str:
    if not (found.largest or found.flips):
        return "corpus and segment are the same"
    text = f"corpus and segment differ by up to {found.largest:.{decimals}f} ({found.system})"
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


def _estimate(estimate: Estimate, decimals: int) -> str:
    value, low, high = (number(x, decimals) for x in (estimate.value, estimate.low, estimate.high))
    return value if math.isnan(estimate.low) else f"{value} [{low}, {high}]"
