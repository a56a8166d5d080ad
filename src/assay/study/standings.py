"""The table of metrics in order: averages over language pairs, places, and what was left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.errors import InputError
from assay.results import Agreement, Estimate, EvaluatedMetric, EvaluatedPair, Measure, MetaColumn, MetaEvaluation

__all__ = ["EvaluatedOn", "standings", "told_of"]

_SHOWN = 4

Values = Mapping[Measure, Agreement]


@dataclass(frozen=True, slots=True)
class EvaluatedOn:
    """All metrics on one language pair; without `pair`, `reason` says why there is nothing."""

    label: str
    pair: EvaluatedPair | None = None
    reason: str = ""
    values: Mapping[str, Values] = field(default_factory=dict)
    yardsticks: Mapping[str, Values] = field(default_factory=dict)
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What there is to know, and of which metrics; of none: of all."""


def standings(
    measures: tuple[Measure, ...], settings: Mapping[str, str], found: Sequence[EvaluatedOn], *, is_pooled: bool
) -> MetaEvaluation:
    """Complete metrics by their average, then the others by how many pairs they have."""
    notes = _notes(found)
    present = [each for each in found if each.pair is not None]
    if not present:
        raise InputError("nothing can be compared", hint="; ".join(notes))
    rows = _rows({each.label: each.values for each in present}, measures, is_pooled=is_pooled)
    rows.sort(key=lambda row: (_rank_key(row, measures[0]), row.metric))
    yardsticks = _rows({each.label: each.yardsticks for each in present}, measures, is_pooled=is_pooled)
    pairs = tuple(each.pair for each in present if each.pair is not None)
    return MetaEvaluation(settings, pairs, measures, tuple(rows), tuple(notes), tuple(yardsticks))


def _rows(
    values: Mapping[str, Mapping[str, Values]], measures: tuple[Measure, ...], *, is_pooled: bool
) -> list[EvaluatedMetric]:
    """A row for each name: `values` are by language pair, name and measure."""
    rows = []
    for name in sorted({name for there in values.values() for name in there}):
        cells = {
            MetaColumn(label, measure): there[name][measure]
            for measure in measures
            for label, there in values.items()
            if name in there and measure in there[name]
        }
        averages = {measure: _average(cells, measure, list(values), is_pooled=is_pooled) for measure in measures}
        rows.append(EvaluatedMetric(name, cells, averages))
    return rows


def _average(
    values: Mapping[MetaColumn, Agreement], measure: Measure, labels: Sequence[str], *, is_pooled: bool
) -> Estimate:
    """Over all language pairs; without a value on each of them there is none."""
    found = {label: values[column] for label in labels if (column := MetaColumn(label, measure)) in values}
    defined = {label: agreement for label, agreement in found.items() if not math.isnan(agreement.value)}
    if len(defined) < len(labels):
        absent = [label for label in labels if label not in defined]
        return Estimate(math.nan, len(defined), reason=f"no value for {', '.join(absent)}")
    there = list(defined.values())
    weights = [_pooling_weight(agreement) if is_pooled else 1.0 for agreement in there]
    total = math.fsum(weight * agreement.value for weight, agreement in zip(weights, there, strict=True))
    return Estimate(total / math.fsum(weights), len(there))


def _pooling_weight(agreement: Agreement) -> float:
    """The pairs of a share of pairs, else what the statistic says."""
    return agreement.weight if agreement.pairs is None else float(agreement.pairs)


def _rank_key(row: EvaluatedMetric, measure: Measure) -> tuple[int, float]:
    """Small is good: few pairs missing, then a high average over those that are there."""
    there = [a.value for column, a in row.agreements.items() if column.measure == measure and not math.isnan(a.value)]
    average = row.averages[measure].value
    mean = average if not math.isnan(average) else math.fsum(there) / len(there) if there else -math.inf
    return -len(there), -mean


def _notes(found: Sequence[EvaluatedOn]) -> list[str]:
    """What was left out or is special, told once for all language pairs and metrics it is true of."""
    grouped: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for each in found:
        if each.pair is None:
            grouped.setdefault((f"left out of the table: {each.reason}", ()), []).append(each.label)
        for remark, metrics in each.remarks.items():
            some = () if set(metrics) == set(each.values) else tuple(metrics)
            grouped.setdefault((remark, some), []).append(each.label)
    return [f"{', '.join(labels)}: {told_of(remark, metrics)}" for (remark, metrics), labels in grouped.items()]


def told_of(remark: str, metrics: Sequence[str]) -> str:
    """A remark, and a few of the metrics it is true of with how many more; without any, it is true of all."""
    more = f" and {len(metrics) - _SHOWN} more" if len(metrics) > _SHOWN else ""
    return f"{remark}: {', '.join(metrics[:_SHOWN])}{more}" if metrics else remark
