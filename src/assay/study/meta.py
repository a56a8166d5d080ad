"""`assay.meta`: how well each metric agrees with human scores, on each language pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, MAX_RESAMPLES, SEED, Confidence, Seed
from assay.agreement import Statistic, statistics_option
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, option_name
from assay.human.options import DomainAverage, MethodChoice, Quality, RankingOptions, Standardise, Weights
from assay.human.outliers import CUTOFF, RULE, Cutoff, OutlierRule, Rule
from assay.human.presets import PRESET_LIST
from assay.human.selection import SystemOptions, find_name, has_rankings, label_campaigns
from assay.metaeval.averages import OverPairs
from assay.metaeval.computed_metrics import Aggregations, MetricAggregations
from assay.metaeval.evaluation import OUTLIERS, OutlierChoice, Plan, evaluate_pair
from assay.metaeval.gold import Cells, GoldOptions, Significant, View
from assay.metaeval.grouped_statistic import Average, GroupedStatistic, grouping_option
from assay.metaeval.intervals import IntervalChoice, IntervalOptions, IntervalResamples
from assay.metaeval.metric_comparison import (
    SigChoice,
    SignificanceOptions,
    TestedAlpha,
    TestedCorrection,
    compare_metrics,
)
from assay.metaeval.metric_tables import ComparedMetrics, MetricOptions, unused_scores, with_common_names
from assay.metaeval.pair_scores import PairMetrics, PairScores, pair_metrics, pair_scores
from assay.metaeval.parity import MTME, as_mtme, is_mtme, mtme_test
from assay.metaeval.settings import data_settings, selection_settings
from assay.metaeval.summary import MetaTable
from assay.options.checks import check_integer, no_effect
from assay.options.option import HUMAN, STATISTICS, Option
from assay.options.shared import (
    CAMPAIGNS,
    EXTERNAL,
    RUNTIME,
    ByDomain,
    Exclude,
    Gold,
    KeepReferences,
    ReferenceNames,
    Size,
    Systems,
)
from assay.options.verb import verb
from assay.results import MetaEvaluation
from assay.significance import ALPHA, option_of_test
from assay.span_agreement import span_statistic
from assay.types import Campaign, Note, ScoreTable
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["meta"]

_Level = Annotated[
    str,
    Option(
        "Compare the scores of systems or of segments; short forms: sys, seg. `assay.meta_spans` compares errors "
        "marked in the text, `assay.meta_error_free` how well scores find segments without errors, and "
        "`assay.meta_challenge` which translation of a pair they prefer.",
        group=STATISTICS,
        choices=("system", "segment"),
        short_forms={"sys": "system", "seg": "segment"},
        is_command_option=False,
    ),
]
"""The command has more levels: one for each of these functions."""


@verb
def meta(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    gold: Gold = None,
    level: _Level = "system",
    statistics: Annotated[
        Sequence[str | Statistic],
        statistics_option(
            "Statistics of agreement; the first one ranks the metrics.",
            "-s",
            "--statistics",
            default="pearson; for segments kendall; for rankings kendall-wmt13; for errors mpp",
            others=span_statistic,
        ),
    ] = (),
    grouping: Annotated[str | None, grouping_option("item; for rankings ranking")] = None,
    average: Average = None,
    over_pairs: OverPairs = "mean",
    random_metrics: Annotated[
        int | None,
        Option(
            "Number of random metrics to average as a baseline.",
            group=STATISTICS,
            check=partial(check_integer, low=0, high=MAX_RESAMPLES),
            metavar="N",
            default="200; for soft pairwise accuracy and for segments 10",
        ),
    ] = None,
    outliers: OutlierChoice = "both",
    outlier_rule: Rule = RULE,
    cutoff: Cutoff = CUTOFF,
    view: View = "scores",
    over_domains: DomainAverage = None,
    by_domain: ByDomain = False,
    significant: Significant = None,
    test: Annotated[
        str | None,
        option_of_test(
            "Test of the human scores, for clusters, fuzzy ranks and significant pairs.",
            group=HUMAN,
            default="rank-sum; for MQM and ESA randomisation",
        ),
    ] = None,
    method: MethodChoice = None,
    weights: Weights = None,
    standardise: Standardise = "none",
    quality: Quality = None,
    preset: Annotated[
        str | None,
        Option(
            f"Score and test systems as a campaign did: {PRESET_LIST}; or {MTME}: the numbers of "
            f"mt-metrics-eval (exact ties, and its tests with {option_name('sig')}).",
            group=HUMAN,
            metavar="NAME",
            default="none",
            check=lambda _, name: is_mtme(name),
        ),
    ] = None,
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    metrics: ComparedMetrics = (),
    references: ReferenceNames = (),
    agg: MetricAggregations = None,
    size: Size = None,
    cells: Cells = "stored",
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    ci: IntervalChoice = None,
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    sig: SigChoice = None,
    alpha: TestedAlpha = ALPHA,
    correction: TestedCorrection = "none",
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> MetaEvaluation:
    """Compare metrics with human scores.

    The main table of a metrics task: one row per metric, one column per language pair, best average first. Metrics are
    ranked by the first statistic, averaged over language pairs; a metric without a value on some pair has no average
    and comes last. With `sig`, ranks and winners follow from the pairs of metrics that differ significantly.

    Notes
    -----
    How people are scored, and how their scores are tested, is as in `assay.rank`.
    """
    by_label, runtime = label_campaigns(campaigns), runtime or Runtime()
    intervals = IntervalOptions.from_spec(ci, resamples, seed, confidence)
    rule = OutlierRule(outlier_rule, cutoff)
    _check_effect(outliers, rule, over_pairs, len(by_label))
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
    aggregations = Aggregations(tuple(agg or ()), size, seed)
    chosen = MetricOptions.from_names(metrics, references, aggregations, by_label.values(), external=external)
    chosen.check(by_label.values(), level=level)
    selected_by = SystemOptions.of(systems, exclude, keep_references)
    table = _evaluate(by_label, _load_metrics(by_label, chosen, plan, selected_by, name), options, plan, rule)
    settings = {
        **{"statistics": plan.settings["statistics"], **data_settings(by_label.values())},
        **{**options.settings, **plan.settings, **table.gold_settings, **({"preset": MTME} if follows_mtme else {})},
        **{"over_pairs": over_pairs, "outliers": outliers, **rule.settings},
        **selection_settings(selected_by, chosen),
    }
    evaluation = table.summarise(plan, settings, is_pooled=is_pooled)
    evaluation = replace(evaluation, notes=(*unused_scores(chosen, by_label.values()), *evaluation.notes))
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
    if marks := next((each for each in specs if isinstance(each, str) and span_statistic.has(each)), None):
        raise ConfigError(f"{marks} compares errors marked in the text: --level span, or in Python assay.meta_spans")
    groups = (level, grouping or default_grouping, average or default_average)
    created = dict.fromkeys(map(create, specs or (default_spec,)))
    return tuple(GroupedStatistic(each, *groups, intervals) for each in created)


def _load_metrics(
    campaigns: Mapping[str, Campaign], chosen: MetricOptions, plan: Plan, systems: SystemOptions, gold: str
) -> dict[str, PairMetrics]:
    """The systems and the metrics of each language pair, under names that meet across pairs."""
    load = partial(
        pair_metrics,
        systems=systems,
        options=chosen,
        gold=gold,
        level=plan.level,
        runtime=plan.runtime,
        known=sorted({system for campaign in campaigns.values() for system in campaign.systems}),
        by_segment=any(grouped.statistic.reads_segments for grouped in plan.statistics),
    )
    loaded = {label: load(campaign) for label, campaign in campaigns.items()}
    named, naming = with_common_names({label: each.metrics for label, each in loaded.items()}, campaigns)
    return {
        label: each._replace(metrics=named[label], notes=(*each.notes, *([naming[label]] if label in naming else ())))
        for label, each in loaded.items()
    }


def _evaluate(
    campaigns: Mapping[str, Campaign],
    loaded: Mapping[str, PairMetrics],
    options: GoldOptions,
    plan: Plan,
    rule: OutlierRule,
) -> MetaTable:
    """The agreement of all metrics on each language pair, or why a pair cannot be evaluated."""
    table = MetaTable()
    for label, metrics in loaded.items():
        scores = pair_scores(
            campaigns[label],
            metrics,
            options,
            label=label,
            level=plan.level,
            rule=rule,
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


def _check_effect(outliers: str, rule: OutlierRule, over_pairs: str, pairs: int) -> None:
    """Raise for options without an effect."""
    if rule != OutlierRule() and outliers == "keep":
        raise no_effect("cutoff" if rule.name == RULE else "outlier_rule", "outliers are kept")
    if over_pairs == "pooled" and pairs == 1:
        raise no_effect("over_pairs", "there is a single language pair")


def _check(plan: Plan, gold: GoldOptions) -> None:
    """Check options that depend on each other before anything is computed."""
    if plan.level != "system" and gold.cells != "stored":
        raise no_effect("cells", "segment scores are always compared on the cells that both have")
    if plan.level != "system" and gold.view != "scores":
        raise ConfigError(f"{gold.view} exist for systems, not for segments", hint=option_name("level", "system"))
    if plan.by_domain and gold.view != "scores":
        raise ConfigError(
            f"{gold.view} are those of all segments: there are none by domain", hint=option_name("view", "scores")
        )
    for statistic in (grouped.statistic for grouped in plan.statistics):
        if gold.significant is not None and not statistic.uses_pairs:
            raise no_effect("significant", f"{statistic.name} does not compare pairs of systems")
        if gold.view != "scores" and statistic.reads_segments:
            raise ConfigError(f"{statistic.name} needs segment scores, which {gold.view} do not have")
