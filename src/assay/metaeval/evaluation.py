"""The agreement of all metrics of a language pair, and of its baselines, with the human scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, TypeVar

from assay.errors import option_name
from assay.lazily import numpy as np
from assay.metaeval.alignment import Aligned
from assay.metaeval.baselines import RANDOM_METRIC, random_metric, second_opinions
from assay.metaeval.gold import Gold
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.pair_scores import MetricNotes, PairScores
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.options.option import HUMAN, Option
from assay.results import Agreement, Measure
from assay.results.agreement import CELLS, NOT_ON_COMMON_CELLS
from assay.results.metric_differences import usual
from assay.types import Note, NoteKind
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = ["OUTLIER", "OUTLIERS", "Agreements", "Evaluation", "OutlierChoice", "Plan", "evaluate_pair"]

OUTLIERS = {"keep": ("kept",), "drop": ("dropped",), "both": ("kept", "dropped")}
"""What is computed for each choice of outliers."""
OutlierChoice = Annotated[
    str,
    Option("Keep or drop systems far from the median human score, or do both.", group=HUMAN, choices=tuple(OUTLIERS)),
]
OUTLIER = "an outlier in the human scores"
_CLEARLY_FEWER = 0.9  # of the groups that other metrics have
_GROUPS = {"item": "segments", "ranking": "rankings", "system": "systems"}
_MAX_NAMES = 4
_RANDOM_METRICS = {"system": 200, "segment": 10}  # by the scores that are shuffled; system scores are few

Agreements = Mapping[Measure, Agreement]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to compute for every metric: statistics of one level, each with outliers `kept`, `dropped` or both."""

    level: str
    statistics: tuple[GroupedStatistic, ...]
    outliers: tuple[str, ...]
    random_metrics: int | None
    """The number of random metrics to average; None: 200, or 10 where segment scores are shuffled."""
    runtime: Runtime
    by_domain: bool = False
    """Also on each domain by itself."""

    def by_outliers(self, compute: Callable[[str], _T], has_outliers: bool) -> dict[str, _T]:
        """What `compute` returns with outliers `kept` and `dropped`: without any, the numbers are the same."""
        if has_outliers:
            return {kind: compute(kind) for kind in self.outliers}
        return dict.fromkeys(self.outliers, compute(self.outliers[0]))

    def measures(self, domains: Iterable[str]) -> tuple[Measure, ...]:
        """The columns of the table: each statistic with outliers kept or dropped, on all segments and by domain."""
        return tuple(
            Measure(statistic.spec, kind, domain)
            for statistic in self.statistics
            for domain in (None, *(domains if self.by_domain else ()))
            for kind in self.outliers
        )

    @property
    def settings(self) -> dict[str, str]:
        """What the numbers of a metric depend on."""
        settings = {"statistics": "+".join(statistic.spec for statistic in self.statistics)}
        settings |= self.statistics[0].settings
        if self.random_metrics is not None:
            settings["random_metrics"] = str(self.random_metrics)
        if self.by_domain:
            settings["by_domain"] = "yes"
        return settings


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The agreements of the metrics and of the baselines of a language pair, and notes on them."""

    metrics: Mapping[str, Agreements]
    baselines: Mapping[str, Agreements]
    notes: MetricNotes


def evaluate_pair(plan: Plan, scores: PairScores, *, baselines: bool = True) -> Evaluation:
    """Every metric of a language pair, and its baselines: on all segments, and if planned on those of each domain."""
    notes: dict[Note, list[str]] = {note: list(names) for note, names in scores.notes.items()}
    if plan.by_domain:
        notes |= {note: list(names) for note, names in scores.notes_on_domains.items()}
    metrics: dict[str, dict[Measure, Agreement]] = {}
    of_baselines: dict[str, dict[Measure, Agreement]] = {}
    for part in (scores, *(scores.by_domain(plan.runtime) if plan.by_domain else ())):
        prefix = part.pair.lp if part.domain is None else f"{part.pair.lp} {part.domain}"
        for metric in plan.runtime.track(part.metrics, partial(_progress, prefix)):
            evaluated, found = _evaluate(plan, metric, part, part.gold)
            metrics.setdefault(metric.name, {}).update(evaluated)
            _add_notes(notes, found, metric.name, part.domain)
        for baseline, gold in _baselines(plan, part) if baselines else ():
            evaluated, _ = _evaluate(plan, baseline, part, gold, is_random=baseline.name == RANDOM_METRIC)
            of_baselines.setdefault(baseline.name, {}).update(evaluated)
            for note in _other_cells(baseline.name, evaluated, metrics):
                notes[replace(note, where=part.domain or "")] = []
    notes |= {note: [] for note in _tied_groups(plan, metrics)}
    return Evaluation(metrics, of_baselines, notes)


def _tied_groups(plan: Plan, metrics: Mapping[str, Agreements]) -> Iterator[Note]:
    """A note if metrics rest on clearly fewer groups than others, because they tie everything in the rest.

    People tie the same groups for all metrics, so the metric with the largest share has (nearly) no ties of its own.
    """
    for statistic in plan.statistics:
        measure, grouping = Measure(statistic.spec, plan.outliers[0]), statistic.grouping
        if statistic.level == "system" or grouping == "none" or statistic.statistic.is_pooled:
            continue
        shares = {name: found[measure].defined_share for name, found in metrics.items() if measure in found}
        largest = max((share for share in shares.values() if not math.isnan(share)), default=0.0)
        fewer = sorted((share / largest, name) for name, share in shares.items() if share < _CLEARLY_FEWER * largest)
        if fewer:
            units = _GROUPS.get(grouping, "groups")
            names = listed((f"{name} ({100 * share:.0f} %)" for share, name in fewer), _MAX_NAMES)
            remedy = ""
            if hasattr(statistic.statistic, "nan_groups"):
                as_zero = f"{statistic.spec}{',' if ':' in statistic.spec else ':'}nan_groups=zero"
                remedy = f"; {option_name('statistics', as_zero)} counts these as 0"
            text = (
                f"{statistic.spec} of metrics that tie all systems in many {units} is only of the other {units}, and "
                f"not comparable with that of metrics that use all: {names}{remedy}"
            )
            yield Note(NoteKind.ADVICE, text, count=len(fewer))


def _add_notes(notes: dict[Note, list[str]], found: Iterable[Note], metric: str, domain: str | None) -> None:
    """Add notes on the values of a metric; those of a domain only if they are not known of all segments."""
    for note in found:
        is_new = note.kind is not NoteKind.PROVENANCE and metric not in notes.get(note, ())
        if domain is None or is_new:
            notes.setdefault(replace(note, where=domain or ""), []).append(metric)


def _other_cells(name: str, baseline: Agreements, metrics: Mapping[str, Agreements]) -> Iterator[Note]:
    """A note if the first value of a baseline rests on other outputs than those of most metrics."""
    for measure, agreement in [*baseline.items()][:1]:
        details = (found[measure].details for found in metrics.values() if measure in found)
        most, cells = usual(int(each[CELLS]) for each in details if CELLS in each), agreement.details.get(CELLS)
        if cells is not None and most and int(cells) != most:
            yield Note(NoteKind.ADVICE, f"'{name}' rests on {int(cells):,} outputs, most metrics on {most:,}")


def _baselines(plan: Plan, scores: PairScores) -> Iterator[tuple[ScoresByLevel, Gold]]:
    """Other human scores and random metrics, each with the human scores to compare it with."""
    is_by_segment = plan.level == "segment" or scores.domain is not None
    for unrestricted, gold in second_opinions(scores, plan.runtime):
        opinion = scores.in_its_domain(unrestricted)
        if not is_by_segment or (opinion.segment is not None and gold.has("segment")):
            yield opinion, gold
    if plan.random_metrics != 0:
        yield scores.in_its_domain(random_metric(scores)), scores.gold


def _progress(prefix: str, metric: ScoresByLevel) -> str:
    return f"{prefix}: evaluating {metric.name}"


def _evaluate(
    plan: Plan, metric: ScoresByLevel, scores: PairScores, gold: Gold, *, is_random: bool = False
) -> tuple[Agreements, list[Note]]:
    """Every statistic of one metric, and notes on its values; `is_random`: averaged over many random metrics."""
    agreements: dict[Measure, Agreement] = {}
    notes: dict[Note, None] = {}
    alignments: dict[bool, Aligned] = {}  # by `reads_segments` of the statistic
    outliers = scores.pair.outliers.systems
    for statistic in plan.statistics:
        by_segment = statistic.statistic.reads_segments
        if by_segment and (metric.segment is None or gold.by_level.segment is None):
            notes[Note(NoteKind.UNDEFINED, f"no {statistic.spec} without segment scores")] = None
            continue
        if by_segment not in alignments:
            alignments[by_segment] = gold.align(metric, plan.level, by_segment=by_segment)
            notes |= dict.fromkeys(alignments[by_segment].notes)
        aligned = alignments[by_segment]
        has_outliers = bool(set(outliers) & set(aligned.systems))

        def evaluated(kind: str, statistic: GroupedStatistic = statistic, aligned: Aligned = aligned) -> Agreement:
            selected = aligned if kind == "kept" else aligned.without(outliers, OUTLIER)
            if is_random:
                return statistic.chance(selected, plan.random_metrics or _RANDOM_METRICS[aligned.level])
            return _with_cells(statistic.evaluate(selected, runtime=plan.runtime), selected, metric, gold)

        for kind, agreement in plan.by_outliers(evaluated, has_outliers).items():
            agreements |= _labelled(agreement, kind, scores.domain)
            if math.isnan(agreement.value):
                without = " without outliers" if kind == "dropped" and has_outliers else ""
                notes[Note(NoteKind.UNDEFINED, f"no {statistic.spec}{without}: {agreement.reason}")] = None
    return agreements, list(notes)


def _with_cells(agreement: Agreement, aligned: Aligned, metric: ScoresByLevel, gold: Gold) -> Agreement:
    """The agreement with the number of outputs behind it, where it is known: that of the side that scored fewer.

    It is marked if common cells were requested, but system scores had to be compared as they are stored.
    """
    details = {**agreement.details}
    if gold.options.cells == "common" and (metric.segment is None or gold.by_level.segment is None):
        details[NOT_ON_COMMON_CELLS] = "yes"
    counts = []
    if aligned.level == "segment":
        counts.append(int(aligned.cells.mask.sum()))
    elif aligned.segments_used.shape[1]:
        counts.append(int(aligned.segments_used.sum()))
    if metric.segment is not None and aligned.systems:
        counts.append(int((~np.isnan(metric.segment.take(aligned.systems).values)).sum()))
    if counts:
        details[CELLS] = str(min(counts))
    return replace(agreement, details=details)


def _labelled(agreement: Agreement, outliers: str, domain: str | None) -> dict[Measure, Agreement]:
    """The agreement by its measure, with the measure among its settings."""
    measure = Measure(agreement.settings["statistic"], outliers, domain)
    settings = {**agreement.settings, "outliers": outliers, **({} if domain is None else {"domain": domain})}
    return {measure: replace(agreement, settings=settings)}
