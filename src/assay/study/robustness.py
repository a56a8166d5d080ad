"""`assay.robustness`: how the agreement of metrics with human scores depends on the choice of systems."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import replace

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import InputError
from assay.human.outliers import CUTOFF, find_outliers
from assay.metaeval.alignment import Aligned
from assay.metaeval.human_scores import HumanScores, HumanView, find_gold
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.subsets import RandomSubsets, Subsets, all_systems, subsets_of_kind, system_statistic
from assay.metaeval.summary import notes_with_metrics
from assay.registry import option_text
from assay.results import Curve, EvaluatedPair, RobustnessCurves, RobustnessSubsamples, SubsampledMetric
from assay.runtime import Runtime
from assay.study.meta import metrics_of
from assay.types import Campaign, Note, NoteKind, ScoreTable

__all__ = ["robustness"]


def robustness(
    campaign: Campaign,
    *,
    kind: str = "top",
    min_systems: int | None = None,
    size: int | None = None,
    outliers: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    statistic: str | Statistic = "pearson",
    gold: str | None = None,
    stored: Sequence[str] = (),
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    cutoff: float = CUTOFF,
    metrics: Sequence[str] = (),
    external: Sequence[ScoreTable] = (),
    runtime: Runtime | None = None,
) -> RobustnessCurves | RobustnessSubsamples:
    """Compute a statistic of each metric over subsets of the systems.

    `kind`: the best N systems, N from all down to `min_systems` (top); `size` neighbours in the human ranking
    (windows); all systems but one (without-one); or `resamples` random subsets of `size` systems without and with
    `outliers` (subsamples). Options that do not apply to the kind are an error. `stored` has patterns for the names
    of stored metrics, with or without the reference at the end; computed and external metrics are always used. A metric
    that scored too few systems is left out, with a note. The other parameters are those of `assay.meta`.
    """
    runtime = runtime or Runtime()
    statistic = system_statistic(statistic)
    subsets = subsets_of_kind(
        kind,
        min_systems=min_systems,
        size=size,
        outliers=None if outliers is None else tuple(outliers),
        resamples=resamples,
        seed=seed,
    )
    selection = campaign.select(systems=systems, exclude=exclude, keep_references=keep_references)
    name = find_gold([campaign], gold)
    human = HumanView(name).scores(campaign, selection.systems, runtime)
    if human is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no human system or segment scores called '{name}'")
    outlying = find_outliers(human.system_scores, cutoff=cutoff)
    pair = EvaluatedPair(campaign.lp, name, selection.systems, selection.left_out, outlying)
    order = _best_first(human)
    if isinstance(subsets, RandomSubsets):
        subsets = subsets.resolve(order, outlying.systems)
    subsets.check(len(order))
    scores, notes = metrics_of(campaign, references, metrics, external, "system", runtime, tuple(stored) or ("*",))
    if not scores:
        raise InputError(f"{campaign.name} {campaign.lp} has no metric scores", hint="compute a metric: -m bleu")
    metrics_by_note: dict[Note, list[str]] = {note: [] for note in (*selection.notes, *human.notes, *notes)}
    aligned = _align(subsets, human, pair.systems, scores, metrics_by_note)
    merged = tuple(notes_with_metrics(metrics_by_note, [metric.name for metric in scores]))
    if not aligned:
        raise InputError("no metric has scores for enough systems", hint="; ".join(map(str, merged)) or None)
    settings = {"kind": subsets.kind, "statistic": statistic_registry.spec(statistic), "human": name}
    settings |= {field.name: _setting_text(getattr(subsets, field.name)) for field in dataclasses.fields(subsets)}
    settings["cutoff"] = option_text(cutoff)
    context = (subsets.kind, settings, pair, order)
    tracked = runtime.track(aligned, lambda metric: f"evaluating {metric.metric}")
    if isinstance(subsets, RandomSubsets):
        sampled = [SubsampledMetric(a.metric, all_systems(statistic, a), subsets.draw(statistic, a)) for a in tracked]
        return RobustnessSubsamples(*context, tuple(sorted(sampled, key=_sort_key)), notes=merged)
    curves = sorted((subsets.curve(statistic, a) for a in tracked), key=_sort_key)
    return RobustnessCurves(*context, tuple(curves), notes=merged)


def _best_first(human: HumanScores) -> tuple[str, ...]:
    """The judged systems by human score."""
    scores = human.system_scores
    judged = (name for name in scores if not math.isnan(scores[name]))
    return tuple(sorted(judged, key=lambda name: (-scores[name], name)))


def _align(
    subsets: Subsets,
    human: HumanScores,
    systems: tuple[str, ...],
    metrics: Sequence[ScoresByLevel],
    metrics_by_note: dict[Note, list[str]],
) -> list[Aligned]:
    """The metrics that scored enough systems; adds their notes to `metrics_by_note`."""
    enough = []
    for metric in metrics:
        aligned = replace(human.align(metric.take(systems), "system"), metric=metric.name)
        notes = list(aligned.notes)
        named_outliers = subsets.outliers or () if isinstance(subsets, RandomSubsets) else ()
        if absent := [name for name in named_outliers if name not in aligned.systems]:
            notes.append(Note(NoteKind.EXCLUDED, f"left out: no score of {', '.join(absent)}"))
        elif len(aligned.systems) < subsets.required_systems:
            notes.append(Note(NoteKind.EXCLUDED, f"left out: scores of fewer than {subsets.required_systems} systems"))
        else:
            enough.append(aligned)
        for note in notes:
            metrics_by_note.setdefault(note, []).append(metric.name)
    return enough


def _sort_key(metric: Curve | SubsampledMetric) -> tuple[float, str]:
    """The sort key: the best value over all systems first, the undefined last."""
    value = metric.all_systems.value
    return (math.inf if math.isnan(value) else -value, metric.metric)


def _setting_text(value: object) -> str:
    return "+".join(value) or "none" if isinstance(value, tuple) else option_text(value)
