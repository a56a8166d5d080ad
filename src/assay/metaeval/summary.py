"""The table of all language pairs: averages, the order of the metrics, and notes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from assay.errors import InputError
from assay.metaeval.pair_evaluation import Agreements, PairEvaluation
from assay.results import Agreement, Estimate, EvaluatedMetric, Measure, MetaColumn, MetaEvaluation
from assay.types import Note, NoteKind

__all__ = ["notes_with_metrics", "summarise"]

_MAX_NAMES = 4


def summarise(
    measures: tuple[Measure, ...],
    settings: Mapping[str, str],
    evaluations: Sequence[PairEvaluation],
    *,
    is_pooled: bool,
) -> MetaEvaluation:
    """Rank metrics with a value on every pair by their average, then the others by their number of pairs."""
    notes = _merge_notes(evaluations)
    complete = [evaluation for evaluation in evaluations if evaluation.pair is not None]
    if not complete:
        raise InputError("no language pair can be evaluated", hint="; ".join(map(str, notes)))
    metrics = _table({e.label: e.metrics for e in complete}, measures, is_pooled=is_pooled)
    baselines = _table({e.label: e.baselines for e in complete}, measures, is_pooled=is_pooled)
    return MetaEvaluation(
        settings=settings,
        pairs=tuple(e.pair for e in complete if e.pair is not None),
        measures=measures,
        metrics=tuple(sorted(metrics, key=lambda metric: (_sort_key(metric, measures[0]), metric.metric))),
        notes=notes,
        baselines=tuple(baselines),
    )


def _table(
    agreements: Mapping[str, Mapping[str, Agreements]], measures: tuple[Measure, ...], *, is_pooled: bool
) -> list[EvaluatedMetric]:
    """A row for each metric, from agreements by language pair, metric and measure."""
    rows = []
    for name in sorted({name for metrics in agreements.values() for name in metrics}):
        cells = {
            MetaColumn(label, measure): metrics[name][measure]
            for measure in measures
            for label, metrics in agreements.items()
            if name in metrics and measure in metrics[name]
        }
        averages = {measure: _average(cells, measure, list(agreements), is_pooled=is_pooled) for measure in measures}
        rows.append(EvaluatedMetric(name, cells, averages))
    return rows


def _average(
    cells: Mapping[MetaColumn, Agreement], measure: Measure, labels: Sequence[str], *, is_pooled: bool
) -> Estimate:
    """The average over all language pairs; undefined if one of them has no value.

    A pooled average weights each language pair by its number of system pairs, or else by the weight of the statistic.
    """
    columns = {label: cells.get(MetaColumn(label, measure)) for label in labels}
    defined = {label: cell for label, cell in columns.items() if cell is not None and not math.isnan(cell.value)}
    if len(defined) < len(labels):
        absent = [label for label in labels if label not in defined]
        return Estimate(math.nan, len(defined), reason=f"no value for {', '.join(absent)}")
    weights = [1.0] * len(defined)
    if is_pooled:
        weights = [cell.weight if cell.pairs is None else float(cell.pairs) for cell in defined.values()]
    total = math.fsum(weight * cell.value for weight, cell in zip(weights, defined.values(), strict=True))
    return Estimate(total / math.fsum(weights), len(defined))


def _sort_key(metric: EvaluatedMetric, measure: Measure) -> tuple[int, float]:
    """The sort key: most language pairs first, then the highest average over those that have a value."""
    values = [a.value for column, a in metric.agreements.items() if column.measure == measure]
    defined = [value for value in values if not math.isnan(value)]
    average = metric.averages[measure].value
    if math.isnan(average):
        average = math.fsum(defined) / len(defined) if defined else -math.inf
    return -len(defined), -average


def _merge_notes(evaluations: Sequence[PairEvaluation]) -> tuple[Note, ...]:
    """Each note once, with all the language pairs it applies to."""
    labels: dict[Note, list[str]] = {}
    for evaluation in evaluations:
        if evaluation.pair is None:
            labels.setdefault(Note(NoteKind.EXCLUDED, f"left out: {evaluation.reason}"), []).append(evaluation.label)
        for note in notes_with_metrics(evaluation.notes, evaluation.metrics):
            labels.setdefault(note, []).append(evaluation.label)
    return tuple(
        replace(note, where=", ".join((*pairs, note.where) if note.where else pairs)) for note, pairs in labels.items()
    )


def notes_with_metrics(notes: Mapping[Note, Sequence[str]], metrics: Collection[str]) -> list[Note]:
    """Notes with the metrics each is about; a note about all `metrics`, or about none, names no metric."""
    everyone = set(metrics)
    return [_with_metrics(note, () if set(names) == everyone else names) for note, names in notes.items()]


def _with_metrics(note: Note, metrics: Sequence[str]) -> Note:
    """The note with the names of the first few of these metrics, and their number; unchanged without metrics."""
    if not metrics:
        return note
    more = f" and {len(metrics) - _MAX_NAMES} more" if len(metrics) > _MAX_NAMES else ""
    return replace(note, text=f"{note.text}: {', '.join(metrics[:_MAX_NAMES])}{more}", count=len(metrics))
