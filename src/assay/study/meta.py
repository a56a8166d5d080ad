"""`assay.meta`: how well each metric agrees with human scores, on each language pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, nearest
from assay.human.outliers import CUTOFF
from assay.metaeval.evaluation import Evaluation
from assay.metaeval.human_scores import HumanView, find_gold
from assay.metaeval.metric_scores import computed_scores, find_reference, metric_scores, run_notes
from assay.metaeval.pair_evaluation import PairEvaluation, Plan, evaluate_pair
from assay.metaeval.scores_by_level import LEVELS, ScoresByLevel
from assay.metaeval.summary import summarise
from assay.metrics import metric as metric_registry
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import MetaEvaluation
from assay.runtime import Runtime
from assay.study.score import score
from assay.types import Campaign, Note, Rankings, ScoreTable, Selection, select

__all__ = ["AVERAGES_OVER_PAIRS", "OUTLIERS", "meta", "metrics_of"]

AVERAGES_OVER_PAIRS = ("mean", "pooled")
OUTLIERS = {"keep": ("kept",), "drop": ("dropped",), "both": ("kept", "dropped")}


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
    significant: float | None = None,
    test: str | None = None,
    method: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    metrics: Sequence[str] = (),
    external: Mapping[str, Sequence[ScoreTable]] | None = None,
    chance: int | None = None,
    resamples: int = 0,
    seed: int | None = None,
    confidence: float | None = None,
    runtime: Runtime | None = None,
) -> MetaEvaluation:
    """Compare every metric with the human scores `gold` on every language pair, and rank the metrics.

    Defaults: Pearson at the system level; at the segment level Kendall over the systems of each segment (`grouping`
    item); for rankings, the Kendall's tau of WMT13 over all pairs. Metrics are ranked by the first statistic averaged
    over language pairs, by its `mean` or `pooled` by weight; a metric without a value on some pair has no average and
    comes last. `view`, `significant`, `test` and `method` choose how to use the human judgements (`HumanView`). With
    `references`, only reference-free metrics and metrics that use the first of these that a pair has are compared.
    `metrics` are computed from the texts; `external` maps language pairs to score tables. `chance` is the number of
    random metrics to average (default 200, at the segment level 10). The other parameters are those of `assay.agree`.
    """
    by_label = _by_label(campaigns)
    is_tested = view != "scores" or significant is not None
    _check_used("seed", seed, resamples or is_tested, "resamples, a view of clusters or ranks, or significant")
    _check_used("confidence", confidence, resamples, "resamples")
    _check_used("average", average, level == "segment", "level 'segment'")
    seed, confidence = 12345 if seed is None else seed, 0.95 if confidence is None else confidence
    judgement_resamples = resamples if level == "system" else 0
    gold = find_gold(by_label.values(), gold)
    human = HumanView(gold, view, significant, test, method, judgement_resamples, seed)
    default_statistic, default_grouping, default_average = _defaults(level, gold, by_label.values())
    bootstrap = Bootstrap(resamples, None, seed)
    chosen_statistics = dict.fromkeys(map(statistic_registry.create, statistics or (default_statistic,)))
    plan = Plan(
        human=human,
        level=level,
        evaluations=tuple(
            Evaluation(statistic, grouping or default_grouping, average or default_average, bootstrap, confidence)
            for statistic in chosen_statistics
        ),
        outliers=OUTLIERS.get(outliers, ()),
        cutoff=cutoff,
        random_metrics=chance,
        runtime=runtime or Runtime(),
    )
    _check(plan, outliers, over_pairs)
    evaluations = []
    for label, selection in _select(by_label, systems, exclude, keep_references).items():
        campaign = by_label[label]
        if not selection.systems:
            evaluations.append(PairEvaluation(label, reason="no system is left"))
            continue
        external_tables = (external or {}).get(campaign.lp, ())
        scores, notes = metrics_of(campaign, references, metrics, external_tables, level, plan.runtime)
        evaluations.append(evaluate_pair(plan, label, campaign, selection, scores, notes))
    settings = {**plan.settings, "over_pairs": over_pairs, "outliers": outliers, "cutoff": option_text(cutoff)}
    if references:
        settings["references"] = "+".join(references)
    if resamples:
        settings |= {"resamples": str(resamples), "seed": str(seed), "confidence": option_text(confidence)}
    return summarise(plan.measures, settings, evaluations, is_pooled=over_pairs == "pooled")


def metrics_of(
    campaign: Campaign,
    references: Sequence[str],
    specs: Sequence[str],
    external: Iterable[ScoreTable],
    level: str,
    runtime: Runtime,
    stored: Sequence[str] = ("*",),
) -> tuple[list[ScoresByLevel], tuple[Note, ...]]:
    """The stored metrics of a campaign, those to compute from its texts, and external ones; with notes."""
    reference = find_reference(campaign, tuple(references))
    if not specs:
        return metric_scores(campaign, reference=reference, stored=stored, external=external), ()
    if campaign.testset is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no texts to compute {', '.join(specs)} from")
    used = reference or next(iter(campaign.testset.references), None)
    testset = campaign.select_texts(references=() if used is None else (used,), keep_references=True)
    run = score(testset, dict.fromkeys(specs), resamples=0, runtime=runtime)
    reference_free = [spec for spec in run.metrics if "reference" not in metric_registry.create(spec).needs]
    computed = computed_scores(run, used, reference_free)
    notes = tuple(note for note in run_notes(run, level) if note not in testset.notes)
    scores = metric_scores(campaign, reference=reference, stored=stored, computed=computed, external=external)
    return scores, notes


def _by_label(campaigns: Iterable[Campaign]) -> dict[str, Campaign]:
    """By language pair; if there are several test sets, by test set and language pair."""
    all_campaigns = list(campaigns)
    has_several_names = len({campaign.name for campaign in all_campaigns}) > 1
    labelled: dict[str, Campaign] = {}
    for campaign in all_campaigns:
        label = f"{campaign.name} {campaign.lp}" if has_several_names else campaign.lp
        if label in labelled:
            raise NameClashError(f"there are two test sets called '{label}'")
        labelled[label] = campaign
    return labelled


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


def _check_used(option: str, value: object, is_used: object, needed: str) -> None:
    """Raise for an option without effect, which is most likely a misunderstanding."""
    if value is not None and not is_used:
        raise ConfigError(f"{option} has no effect without {needed}")


def _check(plan: Plan, outliers: str, over_pairs: str) -> None:
    """Check the options before anything is computed."""
    for option, value, known in (
        ("level", plan.level, LEVELS),
        ("outliers", outliers, OUTLIERS),
        ("over_pairs", over_pairs, AVERAGES_OVER_PAIRS),
    ):
        if value not in known:
            raise ConfigError(f"unknown value '{value}' for {option}", hint=nearest(value, known))
    if plan.random_metrics is not None and plan.random_metrics < 0:
        raise ConfigError(f"chance must not be negative: {plan.random_metrics}")
    if plan.level != "system" and plan.human.view != "scores":
        raise ConfigError(f"{plan.human.view} exist for systems, not for segments", hint="use --level system")
    for evaluation in plan.evaluations:
        _check_statistic(evaluation.statistic, plan.level, plan.human)


def _check_statistic(statistic: Statistic, level: str, human: HumanView) -> None:
    if level not in statistic.levels:
        raise ConfigError(f"{statistic.name} is not defined at the {level} level")
    if human.significant is not None and not statistic.uses_pairs:
        raise ConfigError(f"{statistic.name} does not compare pairs, so --significant does not apply")
    if human.view != "scores" and statistic.reads_segments:
        raise ConfigError(f"{statistic.name} needs segment scores, which {human.view} do not have")


def _select(
    campaigns: Mapping[str, Campaign], systems: Sequence[str], exclude: Sequence[str], keep_references: bool
) -> dict[str, Selection]:
    """The systems to use on each language pair. A pattern must match on at least one pair."""

    def matching(patterns: Sequence[str], names: Iterable[str]) -> list[str]:
        known = list(names)
        return [pattern for pattern in patterns if any(fnmatchcase(name, pattern) for name in known)]

    all_systems = sorted({name for campaign in campaigns.values() for name in campaign.systems})
    for pattern in (*systems, *exclude):
        if not matching((pattern,), all_systems):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, all_systems))
    return {
        label: select(
            campaign.systems,
            systems=matching(systems, campaign.systems),
            exclude=matching(exclude, campaign.systems),
            references=() if keep_references else campaign.references,
        )
        for label, campaign in campaigns.items()
    }
