"""`assay.agree`: how well one metric agrees with human scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.agreement import StatisticChoice
from assay.agreement import statistic as statistic_registry
from assay.human.options import RankingOptions
from assay.human.outliers import CUTOFF, RULE, Cutoff, OutlierRule, Rule, find_outliers
from assay.human.selection import SystemOptions
from assay.metaeval.alignment import Aligned
from assay.metaeval.evaluation import OUTLIER, OutlierChoice
from assay.metaeval.gold import Gold, GoldOptions
from assay.metaeval.grouped_statistic import Average, GroupedStatistic, grouping_option
from assay.metaeval.intervals import IntervalChoice, IntervalOptions, IntervalResamples
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.scores_by_level import LEVELS, group_by_level
from assay.metaeval.settings import selection_settings
from assay.options.option import Data, Option
from assay.options.shared import RUNTIME, Exclude, Systems
from assay.options.verb import verb
from assay.results import Agreement
from assay.types import Rankings, ScoreTable
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["agree"]


@verb
def agree(
    scores: Annotated[
        ScoreTable,
        Data(
            "Scores of a metric, of shape (system, segment) for segments.",
            noun="a ScoreTable",
            example='scores = assay.ScoreTable("mine", "segment", ("a", "b"), values)',
        ),
    ],
    human: Annotated[
        ScoreTable | Rankings,
        Data(
            "Human scores, or rankings.",
            noun="a ScoreTable or Rankings",
            example='human = assay.ScoreTable("da", "segment", ("a", "b"), values)',
        ),
    ],
    statistic: StatisticChoice = "pearson",
    *,
    level: Annotated[
        str | None,
        Option(
            "Level of the scores to compare.",
            choices=LEVELS,
            default="segment if both sides have segment scores and the statistic is defined there, else system",
        ),
    ] = None,
    grouping: Annotated[str | None, grouping_option("none; for rankings ranking")] = None,
    average: Average = None,
    systems: Systems = ("*",),
    exclude: Exclude = (),
    outliers: OutlierChoice = "both",
    outlier_rule: Rule = RULE,
    cutoff: Cutoff = CUTOFF,
    ci: IntervalChoice = None,
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Agreement:
    """Measure how well a metric agrees with human scores, by a statistic over the cells that both have.

    Groups of segment scores without a value are counted, not averaged. Rankings are grouped by ranking and averaged by
    weight, so that every pair counts once; at the system level they become expected wins. With outliers both kept and
    dropped, the value is for all systems, and `without_outliers` has the other.
    """
    statistic = statistic_registry.create(statistic)
    has_segments = scores.level == "segment" and (isinstance(human, Rankings) or human.level == "segment")
    level = level or ("segment" if has_segments and "segment" in statistic.levels else "system")
    selected_by = SystemOptions.of(systems, exclude)
    selection = selected_by.select(sorted({*scores.systems, *human.systems}), None)
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
    settings = {**gold.settings, **selection_settings(selected_by)}
    rule = OutlierRule(outlier_rule, cutoff)
    if outliers != "keep":
        settings |= rule.settings

    def evaluated(aligned: Aligned, outliers: str) -> Agreement:
        agreement = grouped.evaluate(aligned, runtime=runtime)
        return replace(agreement, settings={**agreement.settings, "outliers": outliers, **settings})

    if outliers == "keep":
        return evaluated(aligned, "kept")
    outlying = find_outliers(gold.system_scores, rule).systems
    without = evaluated(aligned.without(outlying, OUTLIER), "dropped")
    return without if outliers == "drop" else replace(evaluated(aligned, "kept"), without_outliers=without)
