"""`assay.meta`: how well each metric agrees with human scores, on each language pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from assay.aggregate.resample import CONFIDENCE, MAX_RESAMPLES, SEED
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import public_function
from assay.errors import ConfigError, option
from assay.human.domains import OverDomains
from assay.human.options import RankingOptions
from assay.human.outliers import CUTOFF
from assay.human.scoring import Deviation
from assay.human.selection import find_name, has_rankings, label_campaigns
from assay.metaeval.computed_metrics import Aggregations
from assay.metaeval.evaluation import OUTLIERS, Plan, evaluate_pair
from assay.metaeval.gold import GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import IntervalOptions
from assay.metaeval.metric_comparison import SignificanceOptions, compare_metrics
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics, unused_scores, with_common_names
from assay.metaeval.pair_scores import PairScores, judged_among, pair_scores, select_systems
from assay.metaeval.parity import MTME, as_mtme, is_mtme, mtme_test
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.settings import data_settings, selection_settings
from assay.metaeval.summary import MetaTable
from assay.options.checks import check_choice, check_integer, no_effect
from assay.registry import option_text
from assay.results import MetaEvaluation
from assay.significance import ALPHA
from assay.types import Campaign, Note, ScoreTable, Selection
from assay.types.runtime import Runtime
from assay.version import __version__

__all__ = ["AVERAGES_OVER_PAIRS", "meta"]

AVERAGES_OVER_PAIRS = ("mean", "pooled")


@public_function
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
    agg: str | Iterable[str] | None = None,
    size: int | None = None,
    cells: str = "stored",
    external: Mapping[str, Sequence[ScoreTable]] | None = None,
    random_metrics: int | None = None,
    ci: str | None = None,
    sig: str | None = None,
    alpha: float = ALPHA,
    correction: str = "none",
    resamples: int | None = None,
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
    `weights`, `standardise`, `quality`, `preset` and `over_domains` are those of `assay.rank`, and `preset="mtme"`
    gives the numbers of mt-metrics-eval (exact ties, and its tests with `sig`); a test that draws uses `seed`, and as
    many resamples as its spec says (`ci` and `resamples` are for the intervals). `by_domain` adds the values on each
    domain by itself. With `references`, only reference-free metrics and metrics that use the first of these that a
    pair has are compared; `all` stands for all references of a pair. `metrics` are specs of metrics to compute from
    the texts; names that are stored exactly so, names unknown to Assay, and patterns with `*`, `?` or `[`, keep only
    the stored metrics that match, with or without their references. System scores of computed metrics are aggregated
    by `agg`: corpus, segment (rows m-…) or bootstrap (rows x-…: the mean over 1000 resamples of `size` segments).
    `cells`: system scores as they are `stored` or computed from all segments; or scores over the segments that metric
    and people both scored (`common`). `external` maps language pairs to score tables. `random_metrics` is the number
    of random metrics to average (default 200; for soft pairwise accuracy and at the segment level 10). `sig` tests
    whether metrics differ by the first statistic, with `default` or a spec such as `perm-cells:resamples=10000`: ranks
    and winners follow from the pairs with p < `alpha` after the `correction`. The other parameters are those of
    `assay.agree`.
    """
    by_label, runtime = label_campaigns(campaigns), runtime or Runtime()
    check_choice("outliers", outliers, OUTLIERS)
    check_choice("over_pairs", over_pairs, AVERAGES_OVER_PAIRS)
    intervals = IntervalOptions.from_spec(ci, resamples, seed, confidence)
    _check_effect(outliers, cutoff, over_pairs, len(by_label), intervals)
    follows_mtme = is_mtme(preset)
    name, is_pooled = find_name(by_label.values(), gold, prefer="scores"), over_pairs == "pooled"
    intervals.check(level, is_ranked=has_rankings(by_label.values(), name))
    create = as_mtme if follows_mtme else statistic_registry.create
    grouped = _grouped_statistics(statistics, create, level, grouping, average, intervals, name, by_label.values())
    plan = Plan(level, grouped, OUTLIERS[outliers], random_metrics, runtime, by_domain)
    options = GoldOptions(
        name,
        view,
        significant,
        intervals.judgement_resamples if level == "system" else 0,
        RankingOptions(
            method=method,
            test=test,
            seed=seed,
            weights=weights,
            standardise=standardise,
            quality=quality,
            preset=None if follows_mtme else preset,
            over_domains=over_domains,
        ),
        drawn_unit=intervals.drawn_unit,
        cells=cells,
    )
    _check(plan, options)
    significance = SignificanceOptions.from_spec(
        sig,
        grouped[0],
        default_spec=mtme_test(grouped[0].statistic, level) if follows_mtme else None,
        alpha=alpha,
        correction=correction,
        seed=seed,
    )
    chosen = MetricOptions.from_names(
        metrics, references, Aggregations(() if agg is None else tuple(agg), size, seed), by_label.values()
    )
    chosen.check(by_label.values(), level=level)
    chosen_systems = partial(
        select_systems,
        systems=systems,
        exclude=exclude,
        keep_references=keep_references,
        known=sorted({system for campaign in by_label.values() for system in campaign.systems}),
    )
    loaded = _load_metrics(by_label, chosen, external or {}, plan, chosen_systems, name)
    table = _evaluate(by_label, loaded, chosen_systems, options, plan, cutoff)
    settings = {
        **{"statistics": plan.settings["statistics"], **data_settings(by_label.values())},
        **{**options.settings, **plan.settings, **table.gold_settings, **({"preset": MTME} if follows_mtme else {})},
        **{"over_pairs": over_pairs, "outliers": outliers, "cutoff": option_text(cutoff)},
        **selection_settings(
            systems=systems,
            exclude=exclude,
            keep_references=keep_references,
            references=references,
            metrics=metrics,
            aggregations=chosen.aggregations.settings,
            external=chain.from_iterable((external or {}).values()),
        ),
    }
    evaluation = table.summarise(plan, settings, is_pooled=is_pooled)
    evaluation = replace(evaluation, notes=(*unused_scores(external or {}, by_label.values()), *evaluation.notes))
    if significance is not None:
        evaluation = _with_tests(evaluation, significance, plan, table.compared, is_pooled=is_pooled)
    if seed != SEED and not {"seed", "sig_seed"} & evaluation.settings.keys():
        raise no_effect("seed", "without resamples, nothing is random but rankings and tests that draw")
    return replace(evaluation, settings={**evaluation.settings, "version": __version__})


def _grouped_statistics(
    specs: Sequence[str | Statistic],
    create: Callable[[str | Statistic], Statistic],
    level: str,
    grouping: str | None,
    average: str | None,
    intervals: IntervalOptions,
    gold: str,
    campaigns: Iterable[Campaign],
) -> tuple[GroupedStatistic, ...]:
    """The statistics, each once, or the default of the level."""
    if average is not None and (level != "segment" or grouping == "none"):
        raise no_effect("average", "it applies to groups of segment scores")
    default_spec, default_grouping, default_average = _defaults(level, gold, campaigns)
    groups = (level, grouping or default_grouping, average or default_average)
    created = dict.fromkeys(map(create, specs or (default_spec,)))
    return tuple(GroupedStatistic(each, *groups, intervals) for each in created)


class _PairMetrics(NamedTuple):
    """The metrics of a language pair, and notes on them and on its files."""

    metrics: Sequence[ScoresByLevel]
    notes: tuple[Note, ...]


def _load_metrics(
    campaigns: Mapping[str, Campaign],
    chosen: MetricOptions,
    external: Mapping[str, Sequence[ScoreTable]],
    plan: Plan,
    select: Callable[[Campaign, Sequence[ScoresByLevel]], Selection],
    gold: str,
) -> dict[str, _PairMetrics]:
    """The metrics of each language pair, under names that meet across pairs."""
    by_segment = any(grouped.statistic.reads_segments for grouped in plan.statistics)
    found, notes = {}, {}
    for label, campaign in campaigns.items():
        systems, left_out = judged_among(select(campaign, ()), campaign, gold)
        found[label], computed_notes = campaign_metrics(
            campaign,
            chosen,
            level=plan.level,
            external=external.get(campaign.lp, ()),
            runtime=plan.runtime,
            systems=systems,
            by_segment=by_segment,
        )
        notes[label] = (*computed_notes, *left_out)
    named, naming = with_common_names(found, campaigns)
    return {
        label: _PairMetrics(
            named[label],
            (*campaign.reading_notes, *notes[label], *([naming[label]] if label in naming else ())),
        )
        for label, campaign in campaigns.items()
    }


def _evaluate(
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, _PairMetrics],
    select: Callable[[Campaign, Sequence[ScoresByLevel]], Selection],
    options: GoldOptions,
    plan: Plan,
    cutoff: float,
) -> MetaTable:
    """The agreement of all metrics on each language pair, or why a pair cannot be evaluated."""
    table = MetaTable()
    for label, found in metrics.items():
        scores = pair_scores(
            campaigns[label],
            select(campaigns[label], found.metrics),
            found.metrics,
            options,
            label=label,
            level=plan.level,
            cutoff=cutoff,
            notes=found.notes,
            runtime=plan.runtime,
        )
        if isinstance(scores, Note):
            table.leave_out(label, scores)
        else:
            table.add(scores, evaluate_pair(plan, scores))
    return table


def _with_tests(
    evaluation: MetaEvaluation,
    significance: SignificanceOptions,
    plan: Plan,
    compared: Mapping[str, PairScores],
    *,
    is_pooled: bool,
) -> MetaEvaluation:
    """The evaluation with the tests between metrics, their settings and notes."""
    tests, notes = compare_metrics(significance, plan, compared, evaluation, is_pooled=is_pooled)
    settings = {**evaluation.settings, **significance.settings}
    return replace(evaluation, settings=settings, tests=tests, notes=(*evaluation.notes, *notes))


def _defaults(level: str, gold: str, campaigns: Iterable[Campaign]) -> tuple[str, str, str]:
    """The statistic, grouping and average that the WMT metrics tasks use."""
    if level == "system":
        return "pearson", "none", "macro"
    return ("kendall-wmt13", "ranking", "micro") if has_rankings(campaigns, gold) else ("kendall", "item", "macro")


def _check_effect(outliers: str, cutoff: float, over_pairs: str, pairs: int, intervals: IntervalOptions) -> None:
    """Raise for options without an effect."""
    if cutoff != CUTOFF and outliers == "keep":
        raise no_effect("cutoff", "outliers are kept")
    if over_pairs == "pooled" and pairs == 1:
        raise no_effect("over_pairs", "there is a single language pair")
    if intervals.confidence != CONFIDENCE and not intervals.has_intervals:
        raise no_effect("confidence", "there are no intervals")


def _check(plan: Plan, gold: GoldOptions) -> None:
    """Check options that depend on each other before anything is computed."""
    if plan.random_metrics is not None:
        check_integer("random_metrics", plan.random_metrics, 0, MAX_RESAMPLES)
    if plan.level != "system" and gold.cells != "stored":
        raise no_effect("cells", "segment scores are always compared on the cells that both have")
    if plan.level != "system" and gold.view != "scores":
        raise ConfigError(f"{gold.view} exist for systems, not for segments", hint=option("level", "system"))
    if plan.by_domain and gold.view != "scores":
        raise ConfigError(
            f"{gold.view} are those of all segments: there are none by domain", hint=option("view", "scores")
        )
    for statistic in (grouped.statistic for grouped in plan.statistics):
        if gold.significant is not None and not statistic.uses_pairs:
            raise no_effect("significant", f"{statistic.name} does not compare pairs of systems")
        if gold.view != "scores" and statistic.reads_segments:
            raise ConfigError(f"{statistic.name} needs segment scores, which {gold.view} do not have")
