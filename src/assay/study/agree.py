"""`assay.agree`: how well one metric agrees with human scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.aggregate.resample import CONFIDENCE, SEED
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import public_function
from assay.errors import InputError
from assay.human.options import RankingOptions
from assay.human.outliers import CUTOFF, find_outliers
from assay.metaeval.alignment import Aligned
from assay.metaeval.evaluation import OUTLIER, OUTLIERS
from assay.metaeval.gold import Gold, GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import IntervalOptions
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.scores_by_level import group_by_level
from assay.metaeval.settings import selection_settings
from assay.options.checks import check_choice
from assay.registry import option_text
from assay.results import Agreement
from assay.types import Rankings, ScoreTable, select
from assay.types.runtime import Runtime

__all__ = ["agree"]


@public_function
def agree(
    scores: ScoreTable,
    human: ScoreTable | Rankings,
    statistic: str | Statistic = "pearson",
    *,
    level: str | None = None,
    grouping: str | None = None,
    average: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    outliers: str = "both",
    cutoff: float = CUTOFF,
    ci: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> Agreement:
    """Measure how well a metric agrees with human scores, by a statistic over the cells that both have.

    `level` defaults to segment if both sides have segment scores and the statistic is defined there, else to system.
    `grouping` of segment scores: none (default: one vector of all cells), item (a vector over systems per segment) or
    system (a vector over segments per system); groups are averaged with equal weight (macro, default) or by the weight
    that the statistic gives them (micro). Rankings are grouped by ranking and averaged by weight, so that every pair
    counts once; at the system level they become expected wins. Undefined groups are counted, not averaged. `systems`
    and `exclude` are shell patterns. `outliers` are systems whose human score is more than `cutoff` scaled median
    absolute deviations from the median: keep, drop, or both (then the value is for all systems, and
    `without_outliers` has the other). `ci` is the method of the interval: fisher, systems, segments, documents, both,
    judgements (of rankings; a resample draws segments, or by `judgements:unit=ranking` or `pair` rankings or pairs) or
    none. By default it is fisher for Pearson and Spearman over systems, judgements for rankings of systems, systems for
    other statistics over systems, and for segment scores documents where they are known, else segments. `resamples` is
    the number of resamples (default 300; for judgements 1000); 0: no interval.
    """
    check_choice("outliers", outliers, OUTLIERS)
    for name, value, types in (("scores", scores, ScoreTable), ("human", human, ScoreTable | Rankings)):
        if not isinstance(value, types):
            hint = 'assay.ScoreTable("mine", "segment", ("a", "b"), values), values of shape (system, segment)'
            raise InputError(f"{name} must be a ScoreTable, not {type(value).__name__}", hint=hint)
    statistic = statistic_registry.create(statistic)
    has_segments = scores.level == "segment" and (isinstance(human, Rankings) or human.level == "segment")
    level = level or ("segment" if has_segments and "segment" in statistic.levels else "system")
    systems, exclude = tuple(systems), tuple(exclude)
    selection = select(sorted({*scores.systems, *human.systems}), systems=systems, exclude=exclude)
    intervals = IntervalOptions.from_spec(ci, resamples, seed, confidence)
    intervals.check(level, is_ranked=isinstance(human, Rankings))
    options = GoldOptions(
        human.name,
        resamples=intervals.judgement_resamples if level == "system" else 0,
        ranking=RankingOptions(seed=seed),
        drawn_unit=intervals.drawn_unit,
        cells="common" if has_segments and not isinstance(human, Rankings) else "stored",
    )
    if isinstance(human, Rankings):
        gold = Gold.from_rankings(human.take(selection.systems), options, runtime or Runtime())
    else:
        human.refuse_penalties()
        gold = Gold.from_scores(next(group_by_level([human.take(selection.systems)])), options)
    (metric,) = group_by_level([scores.take(selection.systems)])
    aligned = gold.align(metric, level, by_segment=statistic.reads_segments)
    aligned = replace(aligned, excluded={**selection.left_out, **aligned.excluded})
    aligned = replace(aligned, extra_notes=(*aligned.extra_notes, *gold.notes))
    defaults = ("ranking", "micro") if isinstance(aligned, AlignedRankings) else ("none", "macro")
    groups = (level, grouping or defaults[0], average or defaults[1])
    grouped = GroupedStatistic(statistic, *groups, intervals)
    settings = {**gold.settings, **selection_settings(systems=systems, exclude=exclude)}
    if outliers != "keep":
        settings["cutoff"] = option_text(cutoff)

    def evaluated(aligned: Aligned, outliers: str) -> Agreement:
        agreement = grouped.evaluate(aligned, runtime=runtime)
        return replace(agreement, settings={**agreement.settings, "outliers": outliers, **settings})

    if outliers == "keep":
        return evaluated(aligned, "kept")
    outlying = find_outliers(gold.system_scores, cutoff=cutoff).systems
    without = evaluated(aligned.without(outlying, OUTLIER), "dropped")
    return without if outliers == "drop" else replace(evaluated(aligned, "kept"), without_outliers=without)
