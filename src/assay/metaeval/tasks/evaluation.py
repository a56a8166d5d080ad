"""The value of every metric in every component of a task."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from assay.aggregate import estimate_from_replicates
from assay.agreement import statistic as statistic_registry
from assay.human.options import RankingOptions
from assay.human.outliers import OutlierRule
from assay.human.selection import find_name
from assay.lazily import numpy as np
from assay.metaeval.averages import merged_basis, pair_weights
from assay.metaeval.evaluation import Evaluation, Plan, evaluate_pair
from assay.metaeval.gold import GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import NO_INTERVALS, IntervalOptions
from assay.metaeval.pair_scores import PairMetrics, PairScores, pair_scores
from assay.metaeval.summary import notes_with_metrics
from assay.metaeval.tasks.definition import MAD, Planned, TaskPair
from assay.metaeval.tasks.significance import TaskTests, TestedPair
from assay.metric_tests import MetricPairs
from assay.results import Agreement, Estimate, LanguagePair, Measure, TaskComponent
from assay.results.metric_differences import usual
from assay.types import Campaign, FloatArray, Note, NoteKind, Selection, select
from assay.types.note import notes_of_pairs, plural
from assay.types.runtime import Runtime

__all__ = ["ComponentValues", "TaskEvaluation", "evaluate_task"]

_OUTLIER = "an outlier, as the task says"


@dataclass(frozen=True, slots=True)
class ComponentValues:
    """A component, and the value of each metric that has one."""

    component: TaskComponent
    estimates: Mapping[str, Estimate]
    replicates: Mapping[str, FloatArray]
    """By metric: the value in each resample of the judgements; metrics without an interval are left out."""
    tested: MetricPairs | None = None
    """The tests between the metrics, if any."""
    fewer_systems: Mapping[str, str] = field(default_factory=dict)
    """The metrics that have fewer systems than most on some language pair, and how many: their values are not of the
    same systems, and would often be higher without the systems that a metric finds hard."""


@dataclass(frozen=True, slots=True)
class TaskEvaluation:
    """The tables of a task: what could be computed of them, what could not, and from what."""

    tables: tuple[tuple[ComponentValues, ...], ...]
    missing: tuple[Mapping[str, str], ...]
    """For each table, by the label of the component: why it could not be computed."""
    incomplete: tuple[Mapping[str, str], ...]
    """For each table, by the label of the component: why some of its language pairs could not be computed."""
    language_pairs: tuple[LanguagePair, ...]
    notes: tuple[Note, ...]


def evaluate_task(
    tables: Sequence[Sequence[Planned]],
    pairs: Mapping[str, TaskPair],
    intervals: IntervalOptions,
    runtime: Runtime,
    *,
    keeps_incomplete: bool,
    tests: TaskTests | None = None,
) -> TaskEvaluation:
    """Every metric in the components of each table.

    `keeps_incomplete`: a metric that lacks a language pair has an average over those that it has.
    """
    components = [planned.component for table in tables for planned in table]
    requests = _requests(components, pairs)
    evaluated = {
        request: _evaluate(request, pairs[request.label], specs, intervals, runtime, tests)
        for request, specs in runtime.track(requests.items(), lambda item: f"{item[0].label}: {item[0].level} level")
    }
    missing: list[dict[str, str]] = []
    incomplete: list[dict[str, str]] = []
    values = []
    for table in tables:
        missing.append({})
        incomplete.append({})
        filled = []
        for planned in table:
            component = planned.component
            by_pair = {label: evaluated[_Request.of(component, label, pairs[label])] for label in component.lps}
            cells = {label: _cells_or_reason(component, found) for label, found in by_pair.items()}
            if reasons := {label: found for label, found in cells.items() if isinstance(found, str)}:
                lacking = missing if len(reasons) == len(component.lps) else incomplete
                lacking[-1][component.label] = _listed_reasons(reasons, component)
            values_of = _component_values(planned, cells, intervals, keeps_incomplete=keeps_incomplete)
            filled.append(_with_tests(values_of, by_pair, cells, tests))
        values.append(tuple(each for each in filled if each is not None))
    found = [each for each in evaluated.values() if isinstance(each, _Evaluated)]
    language_pairs = {(each.scores.pair.lp, each.scores.pair.systems): each.scores.pair for each in found}
    return TaskEvaluation(
        tuple(values),
        tuple(missing),
        tuple(incomplete),
        tuple(language_pairs.values()),
        notes_of_pairs(map(_notes, found)),
    )


class _Request(NamedTuple):
    """What components share that are evaluated together."""

    label: str
    level: str
    grouping: str
    average: str
    view: str
    human_outputs: bool

    @classmethod
    def of(cls, component: TaskComponent, label: str, pair: TaskPair) -> _Request:
        """The request of a component on one of its language pairs."""
        human_outputs = component.human_outputs and bool(pair.settings.human_outputs)
        return cls(label, component.level, component.grouping, component.average, component.view, human_outputs)


class _Wanted(NamedTuple):
    """What a request is for."""

    statistics: dict[str, None]
    domains: set[str | None]


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """The scores of a language pair, and the agreement of its metrics."""

    scores: PairScores
    evaluation: Evaluation
    outliers: str
    tested: TestedPair
    test_notes: Sequence[Note]

    def cells(self, component: TaskComponent) -> dict[str, _Cell]:
        """The metrics with a defined value."""
        measure = Measure(component.statistic, self.outliers, component.domain)
        found = {name: measures.get(measure) for name, measures in self.evaluation.metrics.items()}
        defined = {name: each for name, each in found.items() if each is not None and not math.isnan(each.value)}
        is_resampled = self.scores.gold.replicates is not None and component.domain is None
        return {name: _Cell(each, each.replicates if is_resampled else None) for name, each in defined.items()}


class _Cell(NamedTuple):
    """The agreement of one metric on one language pair, and its value in each resample of the judgements, if any."""

    agreement: Agreement
    replicates: FloatArray | None


def _requests(components: Iterable[TaskComponent], pairs: Mapping[str, TaskPair]) -> dict[_Request, _Wanted]:
    """What to compute on each language pair: all statistics of a request in one go."""
    requests: dict[_Request, _Wanted] = {}
    for component in components:
        for label in component.lps:
            wanted = requests.setdefault(_Request.of(component, label, pairs[label]), _Wanted({}, set()))
            wanted.statistics[component.statistic] = None
            wanted.domains.add(component.domain)
    return requests


def _evaluate(
    request: _Request,
    pair: TaskPair,
    wanted: _Wanted,
    intervals: IntervalOptions,
    runtime: Runtime,
    tests: TaskTests | None,
) -> _Evaluated | str:
    """The agreement of the metrics of a language pair, or the reason why there is none."""
    campaign, settings = pair.campaign, pair.settings
    if campaign is None or pair.missing is not None:
        return pair.missing or "no data of this language pair"
    is_clustered = pair.is_ranked and request.view != "scores"  # clusters have no resamples
    own = NO_INTERVALS if is_clustered else intervals
    statistics = tuple(
        GroupedStatistic(
            statistic_registry.create(spec),
            request.level,
            request.grouping,
            request.average,
            own,
        )
        for spec in wanted.statistics
    )
    outliers = "dropped" if settings.outliers == MAD else "kept"
    plan = Plan(request.level, statistics, (outliers,), 0, runtime, bool(wanted.domains - {None}))
    options = GoldOptions(
        settings.gold or find_name([campaign], None, prefer="scores"),
        request.view,
        resamples=own.judgement_resamples if request.level == "system" and own.has_intervals else 0,
        ranking=RankingOptions(
            method=settings.method, seed=_seed_of(intervals.seed, pair.lp) if own.has_intervals else intervals.seed
        ),
        drawn_unit=own.drawn_unit,
    )
    selection, notes = _select(pair, campaign, counts_human=request.human_outputs)
    scores = pair_scores(
        campaign,
        PairMetrics(selection, pair.metrics, (*pair.notes, *notes)),
        options,
        label=pair.label,
        level=request.level,
        rule=OutlierRule(),
        runtime=runtime,
    )
    if isinstance(scores, Note):
        return scores.text
    tested, test_notes = ({}, []) if tests is None else tests.on_pair(plan, scores)
    return _Evaluated(scores, evaluate_pair(plan, scores, baselines=False), outliers, tested, test_notes)


def _seed_of(seed: int, lp: str) -> int:
    """A seed for the rankings of a language pair, so that those of different pairs are drawn independently."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {lp}".encode(), digest_size=4).digest())


def _select(pair: TaskPair, campaign: Campaign, *, counts_human: bool) -> tuple[Selection, tuple[Note, ...]]:
    """The systems of a language pair, and notes on named ones that it does not have."""
    settings = pair.settings
    human = settings.human_outputs if counts_human else ()
    outliers = () if isinstance(settings.outliers, str) else settings.outliers
    named = (*human, *outliers, *settings.exclude)
    selection = select(
        campaign.systems,
        systems=("*", *human),
        exclude=(*outliers, *settings.exclude),
        references=campaign.references,
        known=named,
    )
    left_out = {name: _OUTLIER if name in outliers else reason for name, reason in selection.left_out.items()}
    absent = [name for name in (*human, *outliers) if name not in campaign.systems]
    notes = (_absent_note(absent),) if absent else ()
    return Selection(selection.systems, left_out), notes


def _absent_note(names: Sequence[str]) -> Note:
    text = f"human outputs and outliers of the task that the data does not have: {', '.join(names)}"
    return Note(NoteKind.MISSING, text, count=len(names))


def _component_values(
    planned: Planned,
    cells: Mapping[str, Mapping[str, _Cell] | str],
    intervals: IntervalOptions,
    *,
    keeps_incomplete: bool,
) -> ComponentValues | None:
    """The values of a component over the language pairs that have some; None if none has."""
    present = {label: found for label, found in cells.items() if not isinstance(found, str)}
    if not present:
        return None
    names = sorted(set().union(*present.values()))
    by_metric = {name: [found[name] for found in present.values() if name in found] for name in names}
    estimates, replicates = {}, {}
    for name, found in by_metric.items():
        if keeps_incomplete or len(found) == len(present):
            weights = _weights(planned.component, found)
            resampled = [cell.replicates for cell in found if cell.replicates is not None]
            if len(resampled) == len(found):
                replicates[name] = np.average(resampled, axis=0, weights=weights)
            estimates[name] = _estimate(found, weights, len(present), replicates.get(name), intervals.confidence)
    return ComponentValues(planned.over(tuple(present)), estimates, replicates, fewer_systems=_fewer_systems(present))


def _fewer_systems(cells: Mapping[str, Mapping[str, _Cell]]) -> dict[str, str]:
    """The metrics with fewer systems than most on some of these language pairs, and how many they have."""
    fewer: dict[str, list[str]] = {}
    for label, found in cells.items():
        counts = {name: len(cell.agreement.systems) for name, cell in found.items()}
        most = usual(counts.values())
        for name, count in counts.items():
            if count < most:
                fewer.setdefault(name, []).append(f"{count} of {most} on {label}")
    return {name: ", ".join(texts) for name, texts in fewer.items()}


def _with_tests(
    values: ComponentValues | None,
    by_pair: Mapping[str, _Evaluated | str],
    cells: Mapping[str, Mapping[str, _Cell] | str],
    tests: TaskTests | None,
) -> ComponentValues | None:
    """The values with the tests between metrics on their language pairs, or on the average over these."""
    if values is None or tests is None:
        return values
    component = values.component
    parts, weights = [], []
    for label in component.lps:
        found, of_pair = by_pair[label], cells[label]
        if not isinstance(found, str) and not isinstance(of_pair, str):
            parts.append(found.tested[component.statistic, component.domain])
            weights.append(_weights(component, list(of_pair.values()))[0])
    return replace(values, component=tests.described(component), tested=tests.over_pairs(parts, weights))


def _cells_or_reason(component: TaskComponent, found: _Evaluated | str) -> dict[str, _Cell] | str:
    """The metrics that have a value on a language pair, or the reason why none has."""
    if isinstance(found, str):
        return found
    return found.cells(component) or _no_value(component, found)


def _listed_reasons(reasons: Mapping[str, str], component: TaskComponent) -> str:
    """The reason, or the reasons of the language pairs that an average lacks."""
    if component.over_pairs == "each":
        return next(iter(reasons.values()))
    return "; ".join(f"{label}: {reason}" for label, reason in reasons.items())


def _no_value(component: TaskComponent, found: _Evaluated) -> str:
    if component.domain is not None and component.domain not in found.scores.domains:
        return f"no segments of the domain '{component.domain}'"
    return "no metric has a value"


def _weights(component: TaskComponent, cells: Sequence[_Cell]) -> list[float]:
    """The weights of language pairs in an average: by their pairs of systems if they are pooled, else equal."""
    return pair_weights([cell.agreement for cell in cells], is_pooled=component.over_pairs == "pooled")


def _estimate(
    cells: Sequence[_Cell], weights: Sequence[float], pairs: int, replicates: FloatArray | None, confidence: float
) -> Estimate:
    """The value on one language pair as it is, or the average over several, whose n is the sum over these."""
    if pairs == 1:
        return cells[0].agreement.estimate
    n = sum(cell.agreement.n for cell in cells)
    bases = [basis for cell in cells if (basis := cell.agreement.estimate.basis) is not None]
    total = math.fsum(weight * cell.agreement.value for weight, cell in zip(weights, cells, strict=True))
    value = total / math.fsum(weights)
    estimate = Estimate(value, n)
    if replicates is not None:
        estimate = replace(estimate_from_replicates(value, replicates, n, confidence), basis=merged_basis(bases))
    return (
        estimate
        if len(cells) == pairs
        else replace(estimate, reason=f"{len(cells)} of {plural(pairs, 'language pair')}")
    )


def _notes(evaluated: _Evaluated) -> tuple[str, list[Note]]:
    """The language pair, and notes on its metrics and their tests."""
    evaluation = evaluated.evaluation
    return evaluated.scores.pair.lp, [*notes_with_metrics(evaluation.notes, evaluation.metrics), *evaluated.test_notes]
