"""The headline table of a metrics task: how far each metric agrees with people, on each language pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, NameClashError, UnknownNameError, nearest
from assay.people.outliers import CUTOFF, find_outliers
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import Agreement, EvaluatedPair, Measure, MetaEvaluation
from assay.study.agreeing import OUTLIER, OUTLIERS, Question
from assay.study.entries import entries_of
from assay.study.gold import Gold, Look, common_gold
from assay.study.pairing import Paired
from assay.study.scoring import Progress
from assay.study.standings import EvaluatedOn, standings
from assay.study.yardsticks import RANDOM_METRIC, random_metric, second_opinions
from assay.types import Campaign, Rankings, ScoreTable, Selection, select

__all__ = ["AVERAGES_OVER_PAIRS", "LEVELS", "evaluate_metrics"]

LEVELS = ("system", "segment")
AVERAGES_OVER_PAIRS = ("mean", "pooled")
_CHANCE = {"system": 200, "segment": 10}  # random metrics vary more where there is less to vary
_WITHOUT = {"kept": "", "dropped": " without outliers"}
_KINDS = {"keep": ("kept",), "drop": ("dropped",), "both": ("kept", "dropped")}


def evaluate_metrics(
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
    seen_as: str = "scores",
    significant: float | None = None,
    test: str | None = None,
    method: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    metrics: Sequence[str] = (),
    brought: Mapping[str, Sequence[ScoreTable]] | None = None,
    chance: int | None = None,
    draws: int = 0,
    seed: int = 12345,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> MetaEvaluation:
    """Compare every metric with the human scores `gold` on every language pair, and order the metrics.

    Defaults: at the system level Pearson; at the segment level Kendall over the systems of each segment (`grouping`
    item); of rankings, Kendall's tau of WMT13 over all pairs. Metrics are ordered by the average over language pairs of
    the first statistic: its mean, or `pooled` by weight. A metric without a value on some pair has no average and comes
    last. `seen_as`, `significant`, `test` and `method` say how to look at what people said (`Look`). `references`: only
    metrics with the first of these that a pair has. `metrics` are computed from the texts; `brought` are tables by
    language pair. `chance`: how many random metrics to average (default 200, of
    segments 10). The other parameters are those of `assay.agree`.
    """
    for what, given, known in (
        ("level", level, LEVELS),
        ("outliers", outliers, OUTLIERS),
        ("over_pairs", over_pairs, AVERAGES_OVER_PAIRS),
    ):
        if given not in known:
            raise ConfigError(f"{what} cannot be '{given}'", hint=nearest(given, known))
    if chance is not None and chance < 0:
        raise ConfigError(f"chance must not be negative: {chance}")
    everything = _by_label(campaigns)
    judgements_drawn = draws if level == "system" else 0
    look = Look(common_gold(everything.values(), gold), seen_as, significant, test, method, judgements_drawn, seed)
    usual = _usual(level, is_ranked=_is_ranked(look.name, everything.values()))
    chosen = statistics or (usual[0],)
    asked = list(dict.fromkeys(map(statistic_registry.create, chosen)))
    _check(asked, level, look)
    how = (grouping or usual[1], average or usual[2])
    plan = _Plan(
        look=look,
        level=level,
        questions=tuple(Question(each, *how, Bootstrap(draws, None, seed), confidence) for each in asked),
        kinds=_KINDS[outliers],
        cutoff=cutoff,
        references=tuple(references),
        metrics=tuple(metrics),
        chance=chance,
        progress=progress,
    )
    selections = _selections(everything, tuple(systems), tuple(exclude), keep_references)
    found = [_evaluated(plan, label, everything[label], each, brought or {}) for label, each in selections.items()]
    settings = {**plan.settings, "over_pairs": over_pairs, "outliers": outliers, "cutoff": option_text(cutoff)}
    if draws:
        settings |= {"draws": str(draws), "seed": str(seed), "confidence": option_text(confidence)}
    return standings(plan.measures, settings, found, is_pooled=over_pairs == "pooled")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is asked of every metric on every language pair."""

    look: Look
    level: str
    questions: tuple[Question, ...]
    kinds: tuple[str, ...]
    cutoff: float
    references: tuple[str, ...]
    metrics: tuple[str, ...]
    chance: int | None
    progress: Progress | None = None

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The statistics, each with and without outliers as asked for."""
        return tuple(Measure(_spec(question), kind) for question in self.questions for kind in self.kinds)

    def by_chance(self, question: Question, paired: Paired, kind: str) -> Agreement:
        """What metrics that know nothing would reach."""
        draws = self.chance or _CHANCE["segment" if question.statistic.reads_segments else self.level]
        return question.by_chance(paired, draws, outliers=kind)

    @property
    def settings(self) -> dict[str, str]:
        """Everything that the numbers depend on, besides how they are averaged over language pairs."""
        first, look = self.questions[0], self.look
        found = {"statistics": "+".join(map(_spec, self.questions)), "human": look.name, "level": self.level}
        found |= {"grouping": first.grouping, "average": first.average}
        if look.seen_as != "scores":
            found["seen_as"] = look.seen_as
        if look.significant is not None:
            found["significant"] = option_text(look.significant)
        if look.needs_ranking:
            found["test"] = look.test or "by protocol"
        return found if look.method is None else {**found, "method": look.method}


def _spec(question: Question) -> str:
    """The statistic as text."""
    return statistic_registry.spec(question.statistic)


def _usual(level: str, *, is_ranked: bool) -> tuple[str, str, str]:
    """What the WMT metrics tasks print: statistic, grouping and average."""
    if level == "system":
        return "pearson", "none", "macro"
    return ("kendall-wmt13", "ranking", "micro") if is_ranked else ("kendall", "item", "macro")


def _is_ranked(gold: str, campaigns: Iterable[Campaign]) -> bool:
    given = list(campaigns)
    if any(table.name == gold for campaign in given for table in campaign.human):
        return False
    return any(isinstance(each, Rankings) and each.name == gold for campaign in given for each in campaign.judgements)


def _check(statistics: Iterable[Statistic], level: str, look: Look) -> None:
    """What cannot be answered is told before anything is computed."""
    if level != "system" and look.seen_as != "scores":
        raise ConfigError(
            f"{look.seen_as} are of systems, not of segments", hint="compare at the system level (--level sys)"
        )
    for each in statistics:
        if level not in each.levels:
            raise ConfigError(f"{each.name} is not defined at the {level} level")
        if look.significant is not None and not each.uses_pairs:
            raise ConfigError(f"{each.name} does not compare pairs, so it cannot be restricted to significant ones")
        if look.seen_as != "scores" and each.reads_segments:
            raise ConfigError(f"{each.name} needs the scores of segments, which {look.seen_as} do not have")


def _by_label(campaigns: Iterable[Campaign]) -> dict[str, Campaign]:
    """By language pair, and where there are several test sets also by their names."""
    given = list(campaigns)
    several = len({campaign.name for campaign in given}) > 1
    found: dict[str, Campaign] = {}
    for campaign in given:
        label = f"{campaign.name} {campaign.lp}" if several else campaign.lp
        if label in found:
            raise NameClashError(f"there are two test sets '{label}'")
        found[label] = campaign
    return found


def _selections(
    campaigns: Mapping[str, Campaign], systems: tuple[str, ...], exclude: tuple[str, ...], keep_references: bool
) -> dict[str, Selection | None]:
    """Who takes part on each language pair; None: nobody. A pattern has to match on one of them at least."""

    def matching(patterns: tuple[str, ...], names: Iterable[str]) -> list[str]:
        there = list(names)
        return [pattern for pattern in patterns if any(fnmatchcase(name, pattern) for name in there)]

    everybody = sorted({name for campaign in campaigns.values() for name in campaign.systems})
    for pattern in (*systems, *exclude):
        if not matching((pattern,), everybody):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, everybody))
    found: dict[str, Selection | None] = {}
    for label, campaign in campaigns.items():
        selection = select(
            campaign.systems,
            systems=matching(systems, campaign.systems),
            exclude=matching(exclude, campaign.systems),
            references=() if keep_references else campaign.references,
        )
        found[label] = selection if selection.systems else None
    return found


def _evaluated(
    plan: _Plan,
    label: str,
    campaign: Campaign,
    selection: Selection | None,
    brought: Mapping[str, Sequence[ScoreTable]],
) -> EvaluatedOn:
    """Compare all metrics on one language pair."""
    if selection is None:
        return EvaluatedOn(label, reason="no system is left")
    gold = plan.look.at(campaign, selection.systems)
    if gold is None or not gold.has(plan.level):
        where = " by segment" if plan.level == "segment" or plan.look.needs_ranking else ""
        return EvaluatedOn(label, reason=f"no human scores '{plan.look.name}'{where}")
    own = brought.get(campaign.lp, ())
    entries = entries_of(
        campaign, references=plan.references, metrics=plan.metrics, brought=own, progress=plan.progress
    )
    usable = [entry for entry in entries if plan.level == "system" or "segment" in entry.tables]
    if not usable:
        return EvaluatedOn(label, reason=f"no metric scores by {plan.level} (-m computes them, --scores reads them)")
    outliers = find_outliers(gold.scores, cutoff=plan.cutoff)
    remarks: dict[str, list[str]] = {
        note: [] for note in (*selection.notes, *gold.notes, *(note for entry in entries for note in entry.notes))
    }
    if lacking := [entry.label for entry in entries if entry not in usable]:
        remarks[f"no scores by {plan.level}"] = lacking
    values = {}
    for done, entry in enumerate(usable):
        if plan.progress is not None:
            plan.progress(f"{label}: comparing {entry.label}", done, len(usable))
        tables = {level: table.take(selection.systems) for level, table in entry.tables.items()}
        values[entry.label], told = _compared(plan, tables, gold, outliers.systems, _asking(entry.label))
        for remark in (*entry.remarks(plan.level), *told):
            remarks.setdefault(remark, []).append(entry.label)
    pair_of = EvaluatedPair(label, plan.look.name, selection.systems, selection.left_out, outliers)
    yardsticks = _yardsticks(plan, campaign, gold, selection.systems, outliers.systems)
    return EvaluatedOn(label, pair_of, values=values, yardsticks=yardsticks, remarks=remarks)


_Ask = Callable[[Question, Paired, str], Agreement]


def _asking(metric: str) -> _Ask:
    return lambda question, paired, kind: question.ask(paired, outliers=kind, metric=metric)


def _compared(
    plan: _Plan, tables: Mapping[str, ScoreTable], gold: Gold, outliers: tuple[str, ...], ask: _Ask
) -> tuple[dict[Measure, Agreement], dict[str, None]]:
    """The values of one metric, and what a reader has to know of them."""
    found: dict[Measure, Agreement] = {}
    told: dict[str, None] = {}
    laid: dict[bool, Paired] = {}  # for statistics that read segments, and for all others
    for question in plan.questions:
        by_segment = question.statistic.reads_segments
        if by_segment and not ("segment" in tables and "segment" in gold.tables):
            told[f"no {_spec(question)} without scores by segment"] = None
            continue
        if by_segment not in laid:
            laid[by_segment] = gold.lay(tables, plan.level, by_segment=by_segment)
            told |= dict.fromkeys(laid[by_segment].remarks())
        paired = laid[by_segment]
        for kind in plan.kinds:
            whole = found.get(Measure(_spec(question), "kept"))
            if whole is not None and not set(outliers) & set(paired.systems):  # nothing to drop: the same numbers
                agreement = replace(whole, settings={**whole.settings, "outliers": kind})
            else:
                part = paired if kind == "kept" else paired.without(outliers, OUTLIER)
                agreement = ask(question, part, kind)
                if math.isnan(agreement.value):
                    told[f"no {_spec(question)}{_WITHOUT[kind]}: {agreement.reason}"] = None
            found[Measure(_spec(question), kind)] = agreement
    return found, told


def _yardsticks(
    plan: _Plan, campaign: Campaign, gold: Gold, systems: tuple[str, ...], outliers: tuple[str, ...]
) -> dict[str, dict[Measure, Agreement]]:
    """Other people, and metrics that know nothing, by the same questions."""
    found = {}
    for opinion, compared_with in second_opinions(campaign, plan.look, systems, gold):
        if plan.level == "system" or ("segment" in opinion.tables and compared_with.has("segment")):
            asking = _asking(opinion.label)
            found[opinion.label] = _compared(plan, opinion.tables, compared_with, outliers, asking)[0]
    if plan.chance != 0:
        guesses = random_metric(gold, campaign.segments, systems)
        found[RANDOM_METRIC] = _compared(plan, guesses, gold, outliers, plan.by_chance)[0]
    return found
