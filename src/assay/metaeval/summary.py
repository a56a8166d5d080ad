"""The table of all language pairs: averages, the order of the metrics, and notes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.errors import InputError
from assay.metaeval.averages import average_over_pairs
from assay.metaeval.evaluation import Agreements, Evaluation, Plan
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.settings import merged
from assay.options.checks import no_effect
from assay.results import EvaluatedMetric, LanguagePair, Measure, MetaColumn, MetaEvaluation, interval_settings
from assay.results.meta import lacks_systems, usual_systems
from assay.results.ties import shared_ranks
from assay.types import Note
from assay.types.note import listed, notes_of_pairs

__all__ = ["MetaTable", "notes_with_metrics", "summarised"]

_MAX_NAMES = 4


@dataclass(slots=True)
class MetaTable:
    """Collects agreements by language pair, metric and measure."""

    compared: dict[str, PairScores] = field(default_factory=dict)
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    notes: dict[str, list[Note]] = field(default_factory=dict)

    def add(self, scores: PairScores, evaluation: Evaluation) -> None:
        """Add the agreements of a language pair."""
        label = scores.pair.lp
        self.compared[label], self.evaluations[label] = scores, evaluation
        self.notes[label] = notes_with_metrics(evaluation.notes, evaluation.metrics)

    def leave_out(self, label: str, reason: Note) -> None:
        """Note that a language pair cannot be evaluated."""
        self.notes[label] = [reason]

    @property
    def gold_settings(self) -> dict[str, str]:
        """How the human scores of the language pairs were made and tested."""
        return merged(scores.gold.settings for scores in self.compared.values())

    @property
    def _without_references(self) -> dict[str, str]:
        """By name: that of the metric without its references."""
        return {metric.name: metric.metric for scores in self.compared.values() for metric in scores.metrics}

    def summarise(self, plan: Plan, settings: Mapping[str, str], *, is_pooled: bool) -> MetaEvaluation:
        """The table with averages over language pairs.

        Metrics with a value on every pair are ranked by their average, then the others by their number of pairs. Among
        these, metrics of fewer systems than most metrics have come last: their values are not of the same systems.
        """
        notes = notes_of_pairs(self.notes.items())
        if not self.compared:
            raise InputError("no language pair can be evaluated", hint="; ".join(map(str, notes)))
        domains = dict.fromkeys(domain for scores in self.compared.values() for domain in scores.domains)
        if plan.by_domain and not domains:
            raise no_effect("by_domain", "the segments have no domains")
        statistics = [statistic.spec for statistic in plan.statistics]
        return summarised(
            {label: scores.pair for label, scores in self.compared.items()},
            self.evaluations,
            plan.measures(domains),
            {spec: Measure(spec, plan.outliers[0]) for spec in statistics},
            settings,
            notes,
            is_pooled=is_pooled,
            without_references=self._without_references,
        )


def summarised(
    pairs: Mapping[str, LanguagePair],
    evaluations: Mapping[str, Evaluation],
    measures: tuple[Measure, ...],
    ranked_by: Mapping[str, Measure],
    settings: Mapping[str, str],
    notes: tuple[Note, ...],
    *,
    is_pooled: bool,
    without_references: Mapping[str, str] | None = None,
    baseline_names: Sequence[str] = (),
) -> MetaEvaluation:
    """The table of the evaluations of language pairs, with averages and ranks.

    `ranked_by`: by statistic, the measure that ranks the metrics; `baseline_names`: the order of baselines (default: by
    name).
    """
    metrics, baselines = (
        {label: getattr(each, name) for label, each in evaluations.items()} for name in ("metrics", "baselines")
    )
    rows = [
        replace(row, without_references=(without_references or {}).get(row.metric, ""))
        for row in _table(metrics, measures, is_pooled=is_pooled)
    ]
    ranks = {spec: _ranks(rows, measure) for spec, measure in ranked_by.items()}
    ranked = [replace(row, ranks={spec: of[row.metric] for spec, of in ranks.items()}) for row in rows]
    bases = (agreement.estimate.basis for row in rows for agreement in row.agreements.values())
    return MetaEvaluation(
        settings={**settings, **interval_settings(bases)},
        language_pairs=tuple(pairs.values()),
        measures=measures,
        metrics=tuple(sorted(ranked, key=lambda row: (row.rank, row.metric))),
        notes=notes,
        baselines=tuple(_table(baselines, measures, is_pooled=is_pooled, order=baseline_names)),
    )


def _table(
    agreements: Mapping[str, Mapping[str, Agreements]],
    measures: tuple[Measure, ...],
    *,
    is_pooled: bool,
    order: Sequence[str] = (),
) -> list[EvaluatedMetric]:
    """A row for each metric, from agreements by language pair, metric and measure; in this order, or by name."""
    rows = []
    names = {name for metrics in agreements.values() for name in metrics}
    for name in [each for each in order if each in names] or sorted(names):
        cells = {
            MetaColumn(label, measure): metrics[name][measure]
            for measure in measures
            for label, metrics in agreements.items()
            if name in metrics and measure in metrics[name]
        }
        columns = {
            measure: {label: cells.get(MetaColumn(label, measure)) for label in agreements} for measure in measures
        }
        averages = {measure: average_over_pairs(cell, is_pooled=is_pooled) for measure, cell in columns.items()}
        rows.append(EvaluatedMetric(name, cells, averages))
    return rows


def _sort_key(metric: EvaluatedMetric, measure: Measure, systems: Mapping[MetaColumn, int]) -> tuple[int, bool, float]:
    """The sort key: most language pairs first, then all usual systems, then the highest average of what is defined."""
    values = (agreement.value for column, agreement in metric.agreements.items() if column.measure == measure)
    defined = [value for value in values if not math.isnan(value)]
    average = metric.averages[measure].value
    if math.isnan(average):
        average = math.fsum(defined) / len(defined) if defined else -math.inf
    return -len(defined), lacks_systems(metric.agreements, systems), -average


def _ranks(rows: Sequence[EvaluatedMetric], measure: Measure) -> dict[str, int]:
    """The place of each metric by a measure. Tied metrics share the best of their places."""
    columns = {column for row in rows for column in row.agreements if column.measure == measure}
    systems = {column: usual_systems(rows, column) for column in columns}
    keys = {row.metric: _sort_key(row, measure, systems) for row in rows}
    ordered = sorted(keys, key=lambda name: (keys[name], name))
    places = shared_ranks([keys[name][2] for name in ordered], [keys[name][:2] for name in ordered])
    return dict(zip(ordered, places, strict=True))


def notes_with_metrics(notes: Mapping[Note, Sequence[str]], metrics: Collection[str]) -> list[Note]:
    """Notes with the first few metrics each is about and their number; without names if they are about all or none."""
    named = []
    for note, names in notes.items():
        if names and set(names) != set(metrics):
            where = ", ".join(filter(None, (note.where, listed(names, _MAX_NAMES))))
            note = replace(note, where=where, count=len(names))
        named.append(note)
    return named
