"""The headline table of a metrics task: how far each metric agrees with people, on each language pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, nearest
from assay.people.outliers import CUTOFF, find_outliers
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import Agreement, Estimate, EvaluatedMetric, EvaluatedPair, Measure, MetaColumn, MetaEvaluation
from assay.study.agreeing import OUTLIER, OUTLIERS, Question
from assay.study.entries import Entry, common_gold, entries_of, human_tables
from assay.study.pairing import Paired, pair, system_scores
from assay.types import Campaign, ScoreTable, Selection, select

__all__ = ["AVERAGES_OVER_PAIRS", "LEVELS", "evaluate_metrics"]

LEVELS = ("system", "segment")
AVERAGES_OVER_PAIRS = ("mean", "pooled")
_SHOWN = 4
_KINDS = {"keep": ("kept",), "drop": ("dropped",), "both": ("kept", "dropped")}


def evaluate_metrics(
    campaigns: Iterable[Campaign],
    *,
    gold: str | None = None,
    level: str = "system",
    statistics: Sequence[str | Statistic] = (),
    grouping: str | None = None,
    average: str = "macro",
    over_pairs: str = "mean",
    outliers: str = "keep",
    cutoff: float = CUTOFF,
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    metrics: Sequence[str] = (),
    brought: Mapping[str, Sequence[ScoreTable]] | None = None,
    draws: int = 0,
    seed: int = 12345,
    confidence: float = 0.95,
) -> MetaEvaluation:
    """Compare every metric with the human scores `gold` on every language pair, and order the metrics.

    Defaults: at the system level Pearson; at the segment level Kendall, if there is one, over the systems of each
    segment (`grouping` item). Metrics are ordered by the average over language pairs of the first statistic: its mean,
    or `pooled` by weight. A metric without a value on some pair has no average and comes last. `references`: only
    metrics with the first of these that a pair has. `metrics` are computed from the texts; `brought` are tables by
    language pair. The other parameters are those of `assay.agree`.
    """
    for what, given, known in (("level", level, LEVELS), ("outliers", outliers, OUTLIERS)):
        if given not in known:
            raise ConfigError(f"{what} cannot be '{given}'", hint=nearest(given, known))
    if over_pairs not in AVERAGES_OVER_PAIRS:
        raise ConfigError(f"over_pairs cannot be '{over_pairs}'", hint=nearest(over_pairs, AVERAGES_OVER_PAIRS))
    everything = _by_label(campaigns)
    grouping = grouping or ("item" if level == "segment" else "none")
    chosen = [statistic_registry.create(s) if isinstance(s, str) else s for s in statistics or (_default(level),)]
    plan = _Plan(
        gold=common_gold(everything.values(), gold),
        level=level,
        questions=tuple(Question(each, grouping, average, Bootstrap(draws, None, seed), confidence) for each in chosen),
        kinds=_KINDS[outliers],
        cutoff=cutoff,
        references=tuple(references),
        metrics=tuple(metrics),
    )
    selections = _selections(everything, tuple(systems), tuple(exclude), keep_references)
    found = [_evaluated(plan, label, everything[label], each, brought or {}) for label, each in selections.items()]
    settings = {"human": plan.gold, "level": level, "grouping": grouping, "average": average, "over_pairs": over_pairs}
    settings |= {"outliers": outliers, "cutoff": option_text(cutoff)}
    if draws:
        settings |= {"draws": str(draws), "seed": str(seed), "confidence": option_text(confidence)}
    return _assembled(plan, settings, found, is_pooled=over_pairs == "pooled")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is asked of every metric on every language pair."""

    gold: str
    level: str
    questions: tuple[Question, ...]
    kinds: tuple[str, ...]
    cutoff: float
    references: tuple[str, ...]
    metrics: tuple[str, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The statistics, each with and without outliers as asked for."""
        return tuple(Measure(_spec(question), kind) for question in self.questions for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class _OnePair:
    """All metrics on one language pair; without `pair`, `reason` says why there is nothing."""

    label: str
    pair: EvaluatedPair | None = None
    reason: str = ""
    values: Mapping[str, Mapping[Measure, Agreement]] = field(default_factory=dict)
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What there is to know, and of which metrics; of none: of all."""


def _spec(question: Question) -> str:
    """The statistic as text."""
    return statistic_registry.spec(question.statistic)


def _default(level: str) -> str:
    """What the WMT metrics tasks print."""
    return "kendall" if level == "segment" and "kendall" in statistic_registry.names() else "pearson"


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
) -> _OnePair:
    """Compare all metrics on one language pair."""
    if selection is None:
        return _OnePair(label, reason="no such system")
    human = {level: table.take(selection.systems) for level, table in human_tables(campaign, plan.gold).items()}
    if not human or (plan.level == "segment" and "segment" not in human):
        where = f" by {plan.level}" if human else ""
        return _OnePair(label, reason=f"no human scores '{plan.gold}'{where}")
    own = brought.get(campaign.lp, ())
    entries = entries_of(campaign, references=plan.references, metrics=plan.metrics, brought=own)
    usable = [entry for entry in entries if plan.level == "system" or "segment" in entry.tables]
    if not usable:
        return _OnePair(label, reason=f"no metric scores by {plan.level}")
    judged = system_scores(human["system"] if "system" in human else human["segment"])
    outliers = find_outliers(judged, cutoff=plan.cutoff)
    remarks: dict[str, list[str]] = {note: [] for note in selection.notes}
    if lacking := [entry.label for entry in entries if entry not in usable]:
        remarks[f"no scores by {plan.level}"] = lacking
    values = {}
    for entry in usable:
        paired = _laid(entry, human, plan.level, selection)
        for remark in _remarks(paired):
            remarks.setdefault(remark, []).append(entry.label)
        values[entry.label] = _compared(plan, entry.label, paired, outliers.systems)
    pair_of = EvaluatedPair(label, plan.gold, selection.systems, selection.left_out, outliers)
    return _OnePair(label, pair_of, values=values, remarks=remarks)


def _laid(entry: Entry, human: Mapping[str, ScoreTable], level: str, selection: Selection) -> Paired:
    """The metric's scores on people's: at the system level from tables by system, or else from common segments."""
    if level == "segment":
        by = ("segment", "segment")
    elif "system" in entry.tables and "system" in human:
        by = ("system", "system")
    elif "segment" in entry.tables and "segment" in human:
        by = ("segment", "segment")
    else:
        by = (next(iter(entry.tables)), next(iter(human)))
    return pair(entry.tables[by[0]].take(selection.systems), human[by[1]], level=level)


def _remarks(paired: Paired) -> Iterator[str]:
    """What a reader has to know of a metric's values."""
    yield from Selection((), paired.left_out).notes
    if paired.level == "system" and "means" in paired.source:
        yield f"system scores: {paired.source}"
    yield from paired.notes


def _compared(plan: _Plan, metric: str, paired: Paired, outliers: tuple[str, ...]) -> dict[Measure, Agreement]:
    found: dict[Measure, Agreement] = {}
    for question in plan.questions:
        for kind in plan.kinds:
            whole = found.get(Measure(_spec(question), "kept"))
            if whole is not None and not set(outliers) & set(paired.systems):  # nothing to drop: the same numbers
                agreement = replace(whole, settings={**whole.settings, "outliers": kind})
            else:
                part = paired if kind == "kept" else paired.without(outliers, OUTLIER)
                agreement = question.ask(part, outliers=kind, metric=metric)
            found[Measure(_spec(question), kind)] = agreement
    return found


def _assembled(
    plan: _Plan, settings: Mapping[str, str], found: Sequence[_OnePair], *, is_pooled: bool
) -> MetaEvaluation:
    """The table in order: complete metrics by their average, then the others by how many pairs they have."""
    notes = _notes(found)
    present = [each for each in found if each.pair is not None]
    if not present:
        raise InputError("nothing can be compared", hint="; ".join(notes))
    rows = []
    for metric in sorted({metric for each in present for metric in each.values}):
        values = {
            MetaColumn(each.label, measure): each.values[metric][measure]
            for measure in plan.measures
            for each in present
            if metric in each.values
        }
        labels = [each.label for each in present]
        averages = {m: _average(values, m, labels, is_pooled=is_pooled) for m in plan.measures}
        rows.append((_rank_key(values, averages, plan.measures[0]), EvaluatedMetric(metric, values, averages)))
    rows.sort(key=lambda row: (row[0], row[1].metric))
    everything = {"statistics": "+".join(map(_spec, plan.questions)), **settings}
    pairs = tuple(each.pair for each in present if each.pair is not None)
    return MetaEvaluation(everything, pairs, plan.measures, tuple(row for _, row in rows), tuple(notes))


def _average(
    values: Mapping[MetaColumn, Agreement], measure: Measure, labels: Sequence[str], *, is_pooled: bool
) -> Estimate:
    """Over all language pairs; without a value on each of them there is none."""
    found = {label: values[column] for label in labels if (column := MetaColumn(label, measure)) in values}
    defined = {label: agreement for label, agreement in found.items() if not math.isnan(agreement.value)}
    if len(defined) < len(labels):
        absent = [label for label in labels if label not in defined]
        return Estimate(math.nan, len(defined), reason=f"no value for {', '.join(absent)}")
    there = list(defined.values())
    hits = [agreement.hits for agreement in there if agreement.hits is not None]
    pairs = [agreement.pairs for agreement in there if agreement.pairs is not None]
    if is_pooled and len(hits) == len(pairs) == len(there):
        return Estimate(sum(hits) / sum(pairs), len(there))
    weights = [agreement.weight if is_pooled else 1.0 for agreement in there]
    total = math.fsum(weight * agreement.value for weight, agreement in zip(weights, there, strict=True))
    return Estimate(total / math.fsum(weights), len(there))


def _rank_key(
    values: Mapping[MetaColumn, Agreement], averages: Mapping[Measure, Estimate], measure: Measure
) -> tuple[int, float]:
    """Small is good: few pairs missing, then a high average over those that are there."""
    there = [a.value for column, a in values.items() if column.measure == measure and not math.isnan(a.value)]
    average = averages[measure].value
    mean = average if not math.isnan(average) else math.fsum(there) / len(there) if there else -math.inf
    return -len(there), -mean


def _notes(found: Sequence[_OnePair]) -> list[str]:
    """What was left out or is special, told once for all language pairs and metrics it is true of."""
    grouped: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for each in found:
        if each.pair is None:
            grouped.setdefault((f"left out of the table: {each.reason}", ()), []).append(each.label)
        for remark, metrics in each.remarks.items():
            some = () if set(metrics) == set(each.values) else tuple(metrics)
            grouped.setdefault((remark, some), []).append(each.label)
    return [
        f"{', '.join(labels)}: {remark}" + (f": {_listed(metrics)}" if metrics else "")
        for (remark, metrics), labels in grouped.items()
    ]


def _listed(names: Sequence[str]) -> str:
    """A few names, and how many more; JSON has them all."""
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
