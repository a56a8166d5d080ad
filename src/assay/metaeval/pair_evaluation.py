"""All metrics of one language pair, evaluated against its human scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.human.outliers import find_outliers
from assay.metaeval.alignment import Aligned
from assay.metaeval.baselines import RANDOM_METRIC, random_metric, second_opinions
from assay.metaeval.evaluation import Evaluation
from assay.metaeval.human_scores import HumanScores, HumanView
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.registry import option_text
from assay.results import Agreement, EvaluatedPair, Measure
from assay.runtime import Runtime
from assay.types import Campaign, Note, NoteKind, Selection

__all__ = ["OUTLIER", "Agreements", "PairEvaluation", "Plan", "evaluate_pair"]

OUTLIER = "an outlier in the human scores"
_RANDOM_METRICS = {"system": 200, "segment": 10}  # system-level values vary more

Agreements = Mapping[Measure, Agreement]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to compute for every metric of every language pair."""

    human: HumanView
    level: str
    evaluations: tuple[Evaluation, ...]
    outliers: tuple[str, ...]
    """`kept`, `dropped` or both."""
    cutoff: float
    random_metrics: int | None
    """The number of random metrics to average; None: the default of the level."""
    runtime: Runtime

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The statistics, each with outliers kept or dropped."""
        return tuple(Measure(evaluation.spec, kind) for evaluation in self.evaluations for kind in self.outliers)

    @property
    def settings(self) -> dict[str, str]:
        """Everything the numbers of a language pair depend on."""
        first, view = self.evaluations[0], self.human
        settings = {
            "statistics": "+".join(evaluation.spec for evaluation in self.evaluations),
            "human": view.name,
            "level": self.level,
            "grouping": first.grouping,
            "average": first.average,
        }
        if view.view != "scores":
            settings["view"] = view.view
        if view.significant is not None:
            settings["significant"] = option_text(view.significant)
        if view.needs_ranking:
            settings["test"] = view.test or "by protocol"
        if view.method is not None:
            settings["method"] = view.method
        if self.random_metrics is not None:
            settings["chance"] = str(self.random_metrics)
        return settings


@dataclass(frozen=True, slots=True)
class PairEvaluation:
    """All metrics on one language pair. If `pair` is None, `reason` says why there are no results."""

    label: str
    pair: EvaluatedPair | None = None
    reason: str = ""
    metrics: Mapping[str, Agreements] = field(default_factory=dict)
    baselines: Mapping[str, Agreements] = field(default_factory=dict)
    notes: Mapping[Note, Sequence[str]] = field(default_factory=dict)
    """The metrics that each note concerns; no metric: it concerns the language pair."""


def evaluate_pair(
    plan: Plan,
    label: str,
    campaign: Campaign,
    selection: Selection,
    metrics: Sequence[ScoresByLevel],
    notes: Sequence[Note] = (),
) -> PairEvaluation:
    """Align every metric with the human scores of the selected systems and compute every statistic."""
    human = plan.human.scores(campaign, selection.systems, plan.runtime)
    if human is None or not human.has(plan.level):
        needed = "segment scores" if plan.level == "segment" or plan.human.needs_ranking else "scores"
        return PairEvaluation(label, reason=f"it has no human {needed} '{plan.human.name}'")
    usable = [metric for metric in metrics if plan.level == "system" or metric.segment is not None]
    if not usable:
        reason = f"it has no {plan.level} scores of metrics (compute them with -m, or add them with --scores)"
        return PairEvaluation(label, reason=reason)
    outliers = find_outliers(human.system_scores, cutoff=plan.cutoff)
    metrics_by_note: dict[Note, list[str]] = {note: [] for note in (*selection.notes, *human.notes, *notes)}
    if unusable := [metric.name for metric in metrics if metric not in usable]:
        metrics_by_note[Note(NoteKind.EXCLUDED, f"metrics without {plan.level} scores are left out")] = unusable
    agreements = {}
    for metric in plan.runtime.track(usable, lambda metric: f"{label}: evaluating {metric.name}"):
        agreements[metric.name], metric_notes = _evaluate(plan, metric.take(selection.systems), human, outliers.systems)
        for note in metric_notes:
            metrics_by_note.setdefault(note, []).append(metric.name)
    return PairEvaluation(
        label,
        EvaluatedPair(label, plan.human.name, selection.systems, selection.left_out, outliers),
        metrics=agreements,
        baselines=dict(_baselines(plan, campaign, human, selection.systems, outliers.systems)),
        notes=metrics_by_note,
    )


def _evaluate(
    plan: Plan, metric: ScoresByLevel, human: HumanScores, outliers: tuple[str, ...], *, is_random: bool = False
) -> tuple[Agreements, list[Note]]:
    """Every statistic of one metric, and notes on its values; `is_random`: averaged over many random metrics."""
    agreements: dict[Measure, Agreement] = {}
    notes: dict[Note, None] = {}
    alignments: dict[bool, Aligned] = {}  # by `reads_segments` of the statistic
    for evaluation in plan.evaluations:
        by_segment = evaluation.statistic.reads_segments
        if by_segment and (metric.segment is None or human.scores.segment is None):
            notes[Note(NoteKind.UNDEFINED, f"no {evaluation.spec} without segment scores")] = None
            continue
        if by_segment not in alignments:
            alignments[by_segment] = human.align(metric, plan.level, by_segment=by_segment)
            notes |= dict.fromkeys(alignments[by_segment].notes)
        aligned, complete = alignments[by_segment], None
        for kind in plan.outliers:
            if complete is not None and not set(outliers) & set(aligned.systems):  # no outlier: the same numbers
                agreement = replace(complete, settings={**complete.settings, "outliers": kind})
            else:
                selected = aligned if kind == "kept" else aligned.without(outliers, OUTLIER)
                if is_random:
                    level = "segment" if by_segment else plan.level
                    agreement = evaluation.chance(
                        selected, plan.random_metrics or _RANDOM_METRICS[level], outliers=kind
                    )
                else:
                    agreement = evaluation.evaluate(selected, outliers=kind, metric=metric.name, runtime=plan.runtime)
                if math.isnan(agreement.value):
                    without = " without outliers" if kind == "dropped" else ""
                    notes[Note(NoteKind.UNDEFINED, f"no {evaluation.spec}{without}: {agreement.reason}")] = None
            complete = agreement if kind == "kept" else complete
            agreements[Measure(evaluation.spec, kind)] = agreement
    return agreements, list(notes)


def _baselines(
    plan: Plan, campaign: Campaign, human: HumanScores, systems: tuple[str, ...], outliers: tuple[str, ...]
) -> Iterator[tuple[str, Agreements]]:
    """The same statistics for other human scores and for random metrics."""
    for opinion, compared_with in second_opinions(campaign, plan.human, systems, human, plan.runtime):
        if plan.level == "system" or (opinion.segment is not None and compared_with.has("segment")):
            yield opinion.name, _evaluate(plan, opinion, compared_with, outliers)[0]
    if plan.random_metrics != 0:
        random = random_metric(human, campaign.segments, systems)
        yield RANDOM_METRIC, _evaluate(plan, random, human, outliers, is_random=True)[0]
