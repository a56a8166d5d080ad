"""`assay.robustness`: how the agreement of metrics with human scores depends on the choice of systems."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal, overload

from assay.aggregate.resample import SEED
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import public_function
from assay.errors import InputError
from assay.human.outliers import CUTOFF
from assay.human.selection import find_name
from assay.metaeval.alignment import Aligned
from assay.metaeval.computed_metrics import Aggregations
from assay.metaeval.gold import Gold, GoldOptions, SignificantPairs
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics
from assay.metaeval.pair_scores import MetricNotes, PairScores, judged_among, pair_scores, select_systems
from assay.metaeval.settings import selection_settings
from assay.metaeval.subsets import RandomSubsets, Subsets, all_systems, best_first, subsets_of_kind, system_statistic
from assay.metaeval.summary import notes_with_metrics
from assay.registry import name_list, option_text
from assay.results import Curve, RobustnessCurves, RobustnessSubsamples, SubsampledMetric
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.runtime import Runtime

__all__ = ["robustness"]


@overload
def robustness(
    campaign: Campaign,
    *,
    kind: Literal["subsamples"],
    min_systems: int | None = None,
    subset_size: int | None = None,
    outliers: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    statistic: str | Statistic = "pearson",
    gold: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    cutoff: float = CUTOFF,
    metrics: Sequence[str] = (),
    agg: str | Iterable[str] | None = None,
    size: int | None = None,
    cells: str = "stored",
    external: Sequence[ScoreTable] = (),
    runtime: Runtime | None = None,
) -> RobustnessSubsamples: ...


@overload
def robustness(
    campaign: Campaign,
    *,
    kind: Literal["top", "windows", "without-one"] = "top",
    min_systems: int | None = None,
    subset_size: int | None = None,
    outliers: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    statistic: str | Statistic = "pearson",
    gold: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    cutoff: float = CUTOFF,
    metrics: Sequence[str] = (),
    agg: str | Iterable[str] | None = None,
    size: int | None = None,
    cells: str = "stored",
    external: Sequence[ScoreTable] = (),
    runtime: Runtime | None = None,
) -> RobustnessCurves: ...


@public_function
def robustness(
    campaign: Campaign,
    *,
    kind: str = "top",
    min_systems: int | None = None,
    subset_size: int | None = None,
    outliers: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    statistic: str | Statistic = "pearson",
    gold: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    cutoff: float = CUTOFF,
    metrics: Sequence[str] = (),
    agg: str | Iterable[str] | None = None,
    size: int | None = None,
    cells: str = "stored",
    external: Sequence[ScoreTable] = (),
    runtime: Runtime | None = None,
) -> RobustnessCurves | RobustnessSubsamples:
    """Compute a statistic of each metric over subsets of the systems.

    `kind`: the best N systems, N from all down to `min_systems` (top); `subset_size` neighbours in the human ranking
    (windows); all systems but one (without-one); or `resamples` random subsets of `subset_size` systems without and
    with `outliers` (subsamples). Options that do not apply to the kind are an error. Where people judged segments, each
    subset has the number of its pairs that they tell apart (p < .05 by the test of `assay.rank`). Subsets are of all
    judged systems: a metric that lacks some is evaluated on the others, and has `missing` systems. A metric that scored
    too few systems is left out, with a note. The other parameters are those of `assay.meta`.
    """
    runtime = runtime or Runtime()
    statistic = system_statistic(statistic)
    aggregations = Aggregations(() if agg is None else tuple(agg), size, SEED if seed is None else seed)
    subsets = subsets_of_kind(
        kind,
        min_systems=min_systems,
        subset_size=subset_size,
        outliers=None if outliers is None else tuple(outliers),
        resamples=resamples,
        seed=None if aggregations.draws and kind != RandomSubsets.kind else seed,
    )
    chosen = MetricOptions.from_names(metrics, references, aggregations, [campaign])
    chosen.check([campaign], level="system")
    options = GoldOptions(find_name([campaign], gold, prefer="scores"), cells=cells)
    select = partial(select_systems, campaign, systems=systems, exclude=exclude, keep_references=keep_references)
    judged_systems, left_out = judged_among(select(()), campaign, options.name)
    compared, computed_notes = campaign_metrics(
        campaign, chosen, level="system", external=external, runtime=runtime, systems=judged_systems
    )
    selection = select(compared)
    scores = pair_scores(
        campaign,
        selection,
        compared,
        options,
        label=campaign.lp,
        level="system",
        cutoff=cutoff,
        notes=(*campaign.reading_notes, *computed_notes, *left_out),
        runtime=runtime,
    )
    if isinstance(scores, Note):
        raise InputError(f"{campaign.label} is {scores.text}")
    judged = scores.gold.system_scores
    order = best_first(judged)
    if isinstance(subsets, RandomSubsets):
        subsets = subsets.resolve(order, scores.pair.outliers.systems)
    subsets.check(len(order))
    aligned, all_notes = _align(subsets, scores)
    notes = tuple(notes_with_metrics(all_notes, [metric.name for metric in scores.metrics]))
    if not aligned:
        raise InputError("no metric has scores for enough systems", hint="; ".join(map(str, notes)) or None)
    settings = {"kind": subsets.kind, "statistic": statistic_registry.spec(statistic), **options.settings}
    settings |= {field.name: _setting_text(getattr(subsets, field.name)) for field in dataclasses.fields(subsets)}
    settings["cutoff"] = option_text(cutoff)
    significant, test_notes = _significant_pairs(subsets, scores.gold, runtime)
    settings |= scores.gold.settings
    settings |= {} if significant is None else significant.settings
    settings |= selection_settings(
        systems=systems,
        exclude=exclude,
        keep_references=keep_references,
        references=references,
        metrics=metrics,
        aggregations=aggregations.settings,
        external=external,
    )
    context = (subsets.kind, settings, scores.pair, order)
    tracked = runtime.track(aligned, lambda metric: f"evaluating {metric.metric}")
    if isinstance(subsets, RandomSubsets):
        sampled = [
            SubsampledMetric(
                a.metric,
                all_systems(statistic, a),
                subsets.draw(statistic, a),
                tuple(name for name in order if name not in a.systems),
            )
            for a in tracked
        ]
        return RobustnessSubsamples(*context, tuple(sorted(sampled, key=_sort_key)), notes=notes)
    curves = sorted((subsets.curve(statistic, a, significant, judged=judged) for a in tracked), key=_sort_key)
    return RobustnessCurves(*context, tuple(curves), notes=(*notes, *test_notes))


def _significant_pairs(
    subsets: Subsets, gold: Gold, runtime: Runtime
) -> tuple[SignificantPairs | None, tuple[Note, ...]]:
    """The pairs of systems that people tell apart, unless random subsets are drawn; or a note why there are none."""
    if isinstance(subsets, RandomSubsets):
        return None, ()
    try:
        return gold.significant_pairs(runtime), ()
    except InputError as error:
        return None, (Note(NoteKind.UNDEFINED, f"no significant pairs of systems: {error.message}"),)


def _align(subsets: Subsets, scores: PairScores) -> tuple[list[Aligned], MetricNotes]:
    """The metrics that scored enough systems, and the notes on the scores and on the others."""
    enough = []
    all_notes = {note: list(names) for note, names in scores.notes.items()}
    for metric in scores.metrics:
        aligned = scores.gold.align(metric, "system")
        notes = list(aligned.notes)
        named_outliers = subsets.outliers or () if isinstance(subsets, RandomSubsets) else ()
        if absent := [name for name in named_outliers if name not in aligned.systems]:
            notes.append(Note(NoteKind.EXCLUDED, f"left out: no score of {', '.join(absent)}"))
        elif len(aligned.systems) < subsets.required_systems:
            notes.append(Note(NoteKind.EXCLUDED, f"left out: scores of fewer than {subsets.required_systems} systems"))
        else:
            enough.append(aligned)
        for note in notes:
            all_notes.setdefault(note, []).append(metric.name)
    return enough, all_notes


def _sort_key(metric: Curve | SubsampledMetric) -> tuple[bool, float, str]:
    """The sort key: the best value over all systems first, then the undefined, then metrics that lack systems."""
    value = metric.all_systems.value
    return (bool(metric.missing), math.inf if math.isnan(value) else -value, metric.metric)


def _setting_text(value: object) -> str:
    return name_list(value) or "none" if isinstance(value, tuple) else option_text(value)
