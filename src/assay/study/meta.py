"""`assay.meta`: how well each metric agrees with human scores, on each language pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import checked_arguments
from assay.errors import ConfigError, nearest
from assay.human.domains import OverDomains
from assay.human.options import RankingOptions, no_effect
from assay.human.outliers import CUTOFF
from assay.human.scoring import Deviation
from assay.human.selection import find_name, label_campaigns
from assay.metaeval.evaluation import Plan, evaluate_pair
from assay.metaeval.gold import GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.pair_scores import pair_scores
from assay.metaeval.settings import selection_settings
from assay.metaeval.summary import MetaTable
from assay.registry import option_text
from assay.resample import CONFIDENCE, MAX_RESAMPLES, SEED, Bootstrap, check_integer
from assay.results import MetaEvaluation
from assay.runtime import Runtime
from assay.study.campaign_metrics import campaign_metrics
from assay.types import Campaign, Note, Rankings, ScoreTable, select

__all__ = ["AVERAGES_OVER_PAIRS", "OUTLIERS", "meta"]

AVERAGES_OVER_PAIRS = ("mean", "pooled")
OUTLIERS = {"keep": ("kept",), "drop": ("dropped",), "both": ("kept", "dropped")}


@checked_arguments
def meta(
    campaigns: Iterable[Campaign],
    *,
    gold: str | None = None,
    level: str = "system",
    statistics: Sequence[str | Statistic] = (),
    grouping: str | None = None,
    average: str | None = None,
    over_pairs: str = "mean",
    outliers: str = "both",
    cutoff: float = CUTOFF,
    view: str = "scores",
    over_domains: OverDomains | None = None,
    by_domain: bool = False,
    significant: float | None = None,
    test: str | None = None,
    method: str | None = None,
    weights: str | Path | Mapping[str, float] | None = None,
    standardise: Deviation | Literal["none"] = "none",
    quality: float | None = None,
    preset: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    metrics: Sequence[str] = (),
    external: Mapping[str, Sequence[ScoreTable]] | None = None,
    random_metrics: int | None = None,
    resamples: int = 0,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> MetaEvaluation:
    """Compare every metric with the human scores `gold` on every language pair, and rank the metrics.

    Defaults: Pearson at the system level; at the segment level Kendall over the systems of each segment (`grouping`
    item); for rankings, the Kendall's tau of WMT13 over all pairs. Metrics are ranked by the first statistic averaged
    over language pairs, by its `mean` or `pooled` by weight; a metric without a value on some pair has no average and
    comes last. `view` compares metrics with the human scores, the clusters or the fuzzy ranks of the systems;
    `significant` uses only pairs of systems whose human scores differ significantly at this level. `test`, `method`,
    `weights`, `standardise`, `quality`, `preset` and `over_domains` are those of `assay.rank`; a test that draws uses
    `seed`, and as many resamples as its spec says (`resamples` is for the intervals). `by_domain` adds the values on
    each domain by itself. With `references`, only reference-free metrics and metrics that use the first of these that a
    pair has are compared. `metrics` are computed from the texts; `external` maps language pairs to score tables.
    `random_metrics` is the number of random metrics to average (default 200, at the segment level 10). The other
    parameters are those of `assay.agree`.
    """
    by_label, runtime = label_campaigns(campaigns), runtime or Runtime()
    _check_choice("outliers", outliers, OUTLIERS)
    _check_choice("over_pairs", over_pairs, AVERAGES_OVER_PAIRS)
    if confidence != CONFIDENCE and not resamples:
        raise no_effect("confidence", "without resamples, there are no intervals")
    if average is not None and (level != "segment" or grouping == "none"):
        raise no_effect("average", "it applies to groups of segment scores")
    bootstrap = Bootstrap(resamples, None, seed)
    name = find_name(by_label.values(), gold, prefer="scores")
    default_statistic, default_grouping, default_average = _defaults(level, name, by_label.values())
    groups = (level, grouping or default_grouping, average or default_average)
    created = dict.fromkeys(map(statistic_registry.create, statistics or (default_statistic,)))
    grouped = tuple(GroupedStatistic(each, *groups, bootstrap, confidence) for each in created)
    plan = Plan(level, grouped, OUTLIERS[outliers], random_metrics, runtime, by_domain)
    ranking = RankingOptions(
        method=method,
        test=test,
        seed=seed,
        weights=weights,
        standardise=standardise,
        quality=quality,
        preset=preset,
        over_domains=over_domains,
    )
    options = GoldOptions(name, view, significant, resamples if level == "system" else 0, ranking)
    _check(plan, options)
    all_systems = sorted({name for campaign in by_label.values() for name in campaign.systems})
    table = MetaTable()
    for label, campaign in by_label.items():
        unwanted = () if keep_references else campaign.references
        selection = select(campaign.systems, systems=systems, exclude=exclude, references=unwanted, known=all_systems)
        compared, notes = campaign_metrics(
            campaign,
            level=level,
            references=references,
            metrics=metrics,
            external=(external or {}).get(campaign.lp, ()),
            runtime=runtime,
        )
        scores = pair_scores(
            campaign,
            selection,
            compared,
            options,
            label=label,
            level=level,
            cutoff=cutoff,
            notes=(*campaign.reading_notes, *notes),
            runtime=runtime,
        )
        if isinstance(scores, Note):
            table.leave_out(label, scores)
        else:
            table.add(scores, evaluate_pair(plan, scores))
    if seed != SEED and not resamples and "seed" not in table.gold_settings:
        raise no_effect("seed", "without resamples, nothing is random but rankings and tests that draw")
    settings = {
        **{"statistics": plan.settings["statistics"], **options.settings, **plan.settings, **table.gold_settings},
        **{"over_pairs": over_pairs, "outliers": outliers, "cutoff": option_text(cutoff)},
        **selection_settings(
            systems=systems,
            exclude=exclude,
            keep_references=keep_references,
            references=references,
            metrics=metrics,
            external=chain.from_iterable((external or {}).values()),
        ),
    }
    return table.summarise(plan, settings, is_pooled=over_pairs == "pooled")


def _defaults(level: str, gold: str, campaigns: Iterable[Campaign]) -> tuple[str, str, str]:
    """The statistic, grouping and average that the WMT metrics tasks use."""
    if level == "system":
        return "pearson", "none", "macro"
    all_campaigns = list(campaigns)
    has_scores = any(table.name == gold for campaign in all_campaigns for table in campaign.human)
    is_ranked = not has_scores and any(
        isinstance(judged, Rankings) and judged.name == gold
        for campaign in all_campaigns
        for judged in campaign.judgements
    )
    return ("kendall-wmt13", "ranking", "micro") if is_ranked else ("kendall", "item", "macro")


def _check_choice(option: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise ConfigError(f"unknown value '{value}' for {option}", hint=nearest(value, known))


def _check(plan: Plan, gold: GoldOptions) -> None:
    """Check options that depend on each other before anything is computed."""
    if plan.random_metrics is not None:
        check_integer("random_metrics", plan.random_metrics, 0, MAX_RESAMPLES)
    if plan.level != "system" and gold.view != "scores":
        raise ConfigError(f"{gold.view} exist for systems, not for segments", hint="use --level system")
    if plan.by_domain and gold.view != "scores":
        raise ConfigError(f"{gold.view} are those of all segments: there are none by domain", hint="use view scores")
    for statistic in (grouped.statistic for grouped in plan.statistics):
        if gold.significant is not None and not statistic.uses_pairs:
            raise no_effect("significant", f"{statistic.name} does not compare pairs of systems")
        if gold.view != "scores" and statistic.reads_segments:
            raise ConfigError(f"{statistic.name} needs segment scores, which {gold.view} do not have")
