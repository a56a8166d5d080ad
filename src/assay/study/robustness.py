"""`assay.robustness`: how the agreement of metrics with human scores depends on the choice of systems."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Literal, Unpack, overload

from assay.aggregate.resample import MAX_RESAMPLES, SEED
from assay.agreement import Statistic, StatisticChoice
from assay.agreement import statistic as statistic_registry
from assay.errors import InputError
from assay.human.outliers import CUTOFF, RULE, Cutoff, OutlierRule, Rule
from assay.human.selection import SystemOptions, find_name
from assay.metaeval.alignment import Aligned
from assay.metaeval.computed_metrics import Aggregations, MetricAggregations
from assay.metaeval.gold import Cells, GoldOptions, SignificantPairs
from assay.metaeval.gold import Gold as HumanGold
from assay.metaeval.metric_tables import ComparedMetrics, MetricOptions
from assay.metaeval.pair_scores import MetricNotes, PairScores, pair_metrics, pair_scores
from assay.metaeval.settings import selection_settings
from assay.metaeval.subsets import (
    KINDS,
    RandomSubsets,
    Subsets,
    all_systems,
    best_first,
    subsets_of_kind,
    system_statistic,
)
from assay.metaeval.summary import notes_with_metrics
from assay.options.checks import check_integer
from assay.options.option import Option
from assay.options.shared import (
    CAMPAIGN,
    RUNTIME,
    Exclude,
    Gold,
    KeepReferences,
    ReferenceNames,
    Size,
    Systems,
)
from assay.options.verb import verb
from assay.registry import name_list, option_text
from assay.results import Curve, RobustnessCurves, RobustnessSubsamples, SubsampledMetric
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["robustness"]

_SUBSETS = "Subsets of systems"  # the group of options


class _Options(RuntimeFields, total=False):
    min_systems: int | None
    subset_size: int | None
    outliers: Sequence[str] | None
    resamples: int | None
    seed: int | None
    statistic: str | Statistic
    gold: str | None
    references: Sequence[str]
    systems: Iterable[str]
    exclude: Iterable[str]
    keep_references: bool
    outlier_rule: str
    cutoff: float
    metrics: Sequence[str]
    agg: str | Iterable[str] | None
    size: int | None
    cells: str
    external: Sequence[ScoreTable]
    runtime: Runtime | None


@overload
def robustness(
    campaign: Campaign, *, kind: Literal["subsamples"], **options: Unpack[_Options]
) -> RobustnessSubsamples: ...


@overload
def robustness(
    campaign: Campaign, *, kind: Literal["top", "windows", "without-one"] = "top", **options: Unpack[_Options]
) -> RobustnessCurves: ...


@verb
def robustness(
    campaign: Annotated[Campaign, CAMPAIGN],
    *,
    kind: Annotated[
        str,
        Option(
            "The best N systems, windows of neighbours in the human ranking, all systems but one, or random subsets.",
            group=_SUBSETS,
            choices=tuple(KINDS),
        ),
    ] = "top",
    min_systems: Annotated[
        int | None, Option("top: size of the smallest subset.", group=_SUBSETS, metavar="N", default="4")
    ] = None,
    subset_size: Annotated[
        int | None,
        Option(
            "windows, subsamples: number of systems.",
            group=_SUBSETS,
            metavar="N",
            default="4; for subsamples half of the systems",
        ),
    ] = None,
    outliers: Annotated[
        Sequence[str] | None,
        Option(
            "subsamples: the outliers. Subsets are drawn without them, with each of them and with all of them.",
            group=_SUBSETS,
            metavar="NAME",
            default="systems beyond the cutoff",
        ),
    ] = None,
    resamples: Annotated[
        int | None,
        Option(
            "subsamples: number of subsamples.",
            group=_SUBSETS,
            metavar="N",
            default="1000",
            check=partial(check_integer, low=1, high=MAX_RESAMPLES),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option("subsamples and the bootstrap aggregation: random seed.", group=_SUBSETS, default=str(SEED)),
    ] = None,
    statistic: StatisticChoice = "pearson",
    gold: Gold = None,
    references: ReferenceNames = (),
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    outlier_rule: Rule = RULE,
    cutoff: Cutoff = CUTOFF,
    metrics: ComparedMetrics = (),
    agg: MetricAggregations = None,
    size: Size = None,
    cells: Cells = "stored",
    external: Annotated[
        Sequence[ScoreTable], Option("Score tables of metrics computed elsewhere.", is_command_option=False)
    ] = (),
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> RobustnessCurves | RobustnessSubsamples:
    """Show how agreement with human scores depends on the systems.

    A correlation over all systems may come from a single system far from the others. The statistic of each metric is
    computed over subsets of the systems. Options that do not apply to the kind of subsets are an error.

    Notes
    -----
    Where people judged segments, each subset has the number of its pairs of systems that differ significantly (p < .05
    by the test of `assay.rank`). Subsets are of all judged systems: a metric that lacks some is evaluated on the
    others, and has `missing` systems. A metric that scored too few systems is left out, with a note.
    """
    runtime, rule = runtime or Runtime(), OutlierRule(outlier_rule, cutoff)
    statistic = system_statistic(statistic)
    aggregations = Aggregations(tuple(agg or ()), size, SEED if seed is None else seed)
    subsets = subsets_of_kind(
        kind,
        min_systems=min_systems,
        subset_size=subset_size,
        outliers=None if outliers is None else tuple(outliers),
        resamples=resamples,
        seed=None if aggregations.draws and kind != RandomSubsets.kind else seed,
    )
    chosen = MetricOptions.from_names(
        metrics, references, aggregations, [campaign], external={campaign.lp: tuple(external)}
    )
    chosen.check([campaign], level="system")
    options = GoldOptions(find_name([campaign], gold, prefer="scores"), cells=cells)
    selected_by = SystemOptions.of(systems, exclude, keep_references)
    loaded = pair_metrics(campaign, selected_by, chosen, options.name, level="system", runtime=runtime)
    scores = pair_scores(campaign, loaded, options, label=campaign.lp, level="system", rule=rule, runtime=runtime)
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
    settings |= rule.settings
    significant, test_notes = _significant_pairs(subsets, scores.gold, runtime)
    settings |= scores.gold.settings
    settings |= {} if significant is None else significant.settings
    settings |= selection_settings(selected_by, chosen)
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
    subsets: Subsets, gold: HumanGold, runtime: Runtime
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
