"""`assay.metrics_task`: metrics ranked over the components of a WMT metrics task."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.errors import InputError, option_name
from assay.human.selection import label_campaigns
from assay.metaeval.intervals import IntervalChoice, IntervalOptions, IntervalResamples
from assay.metaeval.metric_comparison import SigChoice, TestedAlpha, TestedCorrection
from assay.metaeval.metric_tables import ComparedMetrics, MetricOptions, campaign_metrics, unused_scores
from assay.metaeval.parity import MTME, as_mtme, is_mtme
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.settings import data_settings, selection_settings
from assay.metaeval.tasks.definition import TaskDefinition, TaskPair
from assay.metaeval.tasks.evaluation import ComponentValues, evaluate_task
from assay.metaeval.tasks.ranking import Combination, rank_metrics
from assay.metaeval.tasks.reader import read_task, shipped_tasks
from assay.metaeval.tasks.significance import TaskTests
from assay.options.checks import no_effect
from assay.options.option import HUMAN, Option, choice_of
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Gold
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import IntervalBasis, MetricsTask, TaskTable, interval_settings
from assay.significance import ALPHA
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.note import listed, plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["metrics_task"]

_SHOWN = 3
_ALL_STORED = ("*",)
_TASK = "Metrics task"  # the group of options


@verb
def metrics_task(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    task: Annotated[
        str | Path,
        Option(
            f"Rank metrics over the components of a task: {choice_of((*shipped_tasks(), 'a TOML file'))}.",
            group=_TASK,
            flags=("--task",),
            metavar="NAME|FILE",
            takes_file=True,
            check=lambda _, task: read_task(task),
        ),
    ],
    *,
    partial: Annotated[
        bool, Option("Leave out components of the task that the data does not have.", group=_TASK)
    ] = False,
    gold: Gold = None,
    metrics: ComparedMetrics = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    ci: IntervalChoice = None,
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    sig: SigChoice = None,
    alpha: TestedAlpha = ALPHA,
    correction: TestedCorrection = "none",
    preset: Annotated[
        str | None,
        Option(
            "mtme: compute statistics and tests as mt-metrics-eval does.",
            group=HUMAN,
            metavar="NAME",
            default="none",
            check=lambda _, name: is_mtme(name, known=()),
        ),
    ] = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> MetricsTask:
    """Rank metrics as a metrics task did.

    The task says which language pairs and components there are, their human scores, references and systems, and how
    they are combined. `gold` replaces the human scores of all language pairs, `metrics` the metrics of the task, and
    `ci` and `resamples` its intervals. With `sig`, ranks in a component are significance clusters, and the clusters of
    the score come from the draws of all components together.
    """
    runtime, definition = runtime or Runtime(), read_task(task)
    follows_mtme = is_mtme(preset, known=())
    if follows_mtme:
        definition = definition.with_statistics(as_mtme)
    intervals = _intervals(definition, ci, resamples, seed, confidence)
    tests = _tests(sig, alpha, correction, seed, follows_mtme=follows_mtme)
    by_label = label_campaigns(campaigns)
    chosen = MetricOptions.from_names(metrics, campaigns=by_label.values(), external=external)
    pairs, notes = _pairs(definition, by_label, gold, chosen, runtime)
    tables = [(title, definition.components_of(of_table)) for title, of_table in definition.tables_of(pairs)]
    evaluation = evaluate_task(
        [planned for _, planned in tables],
        {pair.label: pair for pair in pairs},
        intervals,
        runtime,
        keeps_incomplete=definition.incomplete == "last",
        tests=tests,
    )
    titles = [title for title, _ in tables]
    missing, incomplete = (_by_label(titles, each) for each in (evaluation.missing, evaluation.incomplete))
    combination = Combination(definition.combine, definition.incomplete, definition.split, confidence)
    ranked = tuple(
        rank_metrics(title, values, combination, metrics=_metrics(pairs, values), tests=tests)
        for (title, _), values in zip(tables, evaluation.tables, strict=True)
        if any(each.component.weight > 0 for each in values)
    )
    if not ranked:
        raise InputError("no component of the task can be computed", hint=_first_reasons(missing))
    if not partial:
        _check_missing(definition, {**missing, **incomplete}, sum(len(planned) for _, planned in tables))
    is_partial = bool(missing or incomplete)
    return MetricsTask(
        task=definition.name,
        title=definition.title,
        sources=definition.sources,
        settings={
            **definition.settings,
            **data_settings(pair.campaign for pair in pairs if pair.campaign is not None),
            "gold": "+".join(dict.fromkeys(option_text(pair.gold) for pair in evaluation.language_pairs)),
            **{"combine": definition.combine, "incomplete": definition.incomplete},
            **({"preset": MTME} if follows_mtme else {}),
            **({"partial": "yes"} if is_partial else {}),
            **selection_settings(metrics=chosen),
            **interval_settings(_interval_bases(ranked)),
            **({} if tests is None else tests.settings(chain.from_iterable(table.components for table in ranked))),
            "version": __version__,
        },
        combine=definition.combine,
        split=definition.split,
        language_pairs=evaluation.language_pairs,
        tables=ranked,
        missing=missing,
        incomplete=incomplete,
        notes=(
            *_unpublished(definition),
            *unused_scores(chosen, by_label.values()),
            *notes,
            *_missing_notes(missing, "missing"),
            *_missing_notes(incomplete, "incomplete"),
            *_table_notes(ranked, tests),
            *evaluation.notes,
        ),
    )


def _intervals(
    definition: TaskDefinition, ci: str | None, resamples: int | None, seed: int, confidence: float
) -> IntervalOptions:
    """The task's own intervals, unless others are wanted."""
    used = definition.resamples if resamples is None and ci is None else resamples
    return IntervalOptions.from_spec(ci or definition.ci, used, seed, confidence)


def _tests(sig: str | None, alpha: float, correction: str, seed: int, *, follows_mtme: bool) -> TaskTests | None:
    if sig is not None:
        return TaskTests(sig, alpha, correction, seed, follows_mtme)
    for name, value, default in (("alpha", alpha, ALPHA), ("correction", correction, "none")):
        if value != default:
            raise no_effect(name, f"without {option_name('sig')}, metrics are not tested")
    return None


def _pairs(
    definition: TaskDefinition,
    campaigns: Mapping[str, Campaign],
    gold: str | None,
    metrics: MetricOptions,
    runtime: Runtime,
) -> tuple[list[TaskPair], tuple[Note, ...]]:
    """The language pairs of the task with the scores of their metrics, and a note on pairs that it does not have."""
    metrics.check(campaigns.values(), level="system")
    pairs = []
    for pair in definition.pairs_of(campaigns):
        if gold is not None:
            pair = replace(pair, settings=replace(pair.settings, gold=gold))
        pairs.append(_with_metrics(pair, definition.metrics, metrics, runtime))
    known = {pair.label for pair in pairs}
    others = [label for label in campaigns if label not in known]
    text = f"language pairs that are not in the task: {', '.join(others)}"
    return pairs, (Note(NoteKind.EXCLUDED, text, count=len(others)),) if others else ()


def _with_metrics(
    pair: TaskPair,
    official: Sequence[str],
    metrics: MetricOptions,
    runtime: Runtime,
) -> TaskPair:
    """The language pair with the scores of its metrics, or with the reason why it cannot be evaluated."""
    campaign, wanted = pair.campaign, pair.settings.reference
    if campaign is None:
        return pair
    if wanted and not set(wanted) & set(campaign.references):
        return replace(pair, missing=f"no reference {' or '.join(wanted)}")
    tables, computed = campaign_metrics(campaign, replace(metrics, references=wanted), level="system", runtime=runtime)
    notes: tuple[Note, ...] = ()
    if official and metrics.stored == _ALL_STORED:
        tables, notes = _official(tables, campaign, official)
    if not tables:
        return replace(pair, missing="no scores of metrics (compute some, or add them)")
    return replace(pair, metrics=tuple(tables), notes=(*campaign.reading_notes, *computed, *notes))


def _official(
    metrics: Sequence[ScoresByLevel], campaign: Campaign, patterns: Sequence[str]
) -> tuple[list[ScoresByLevel], tuple[Note, ...]]:
    """Without the stored metrics that the task does not name; notes on these, and on named ones without scores."""
    stored = {table.name for table in campaign.metrics}
    matched = {name for name in stored if any(fnmatchcase(name, pattern) for pattern in patterns)}
    others = sorted({m.metric or m.name for m in metrics} & (stored - matched))
    unmatched = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in stored)]
    notes = []
    if unmatched:
        text = f"metrics of the task without stored scores: {listed(unmatched, _SHOWN)}"
        notes.append(Note(NoteKind.MISSING, text, count=len(unmatched)))
    if others:
        text = f"stored metrics that are not in the task are left out: {listed(others, _SHOWN)}"
        notes.append(Note(NoteKind.EXCLUDED, text, count=len(others)))
    return [m for m in metrics if (m.metric or m.name) not in others], tuple(notes)


def _metrics(pairs: Iterable[TaskPair], values: Iterable[ComponentValues]) -> set[str]:
    """The metrics of the language pairs of a table, also those without a value."""
    lps = {lp for each in values for lp in each.component.lps}
    return {metric.name for pair in pairs if pair.label in lps for metric in pair.metrics}


def _unpublished(definition: TaskDefinition) -> Iterator[Note]:
    if definition.unpublished:
        yield Note(NoteKind.PROVENANCE, f"not published yet: {definition.unpublished}", severity="warning")


def _by_label(titles: Sequence[str], reasons: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The reasons of all tables, by the title of the table and the label of the component."""
    return {
        f"{title}: {label}" if title else label: reason
        for title, by_label in zip(titles, reasons, strict=True)
        for label, reason in by_label.items()
    }


def _check_missing(definition: TaskDefinition, missing: Mapping[str, str], total: int) -> None:
    if missing:
        raise InputError(
            f"{len(missing):,} of {total:,} components of the task '{definition.name}' cannot be computed: "
            f"{_first_reasons(missing)}",
            hint=f"evaluate the others with {option_name('partial', True)}",
        )


def _first_reasons(missing: Mapping[str, str]) -> str:
    return listed((f"{label} ({reason})" for label, reason in missing.items()), _SHOWN)


def _missing_notes(reasons: Mapping[str, str], state: str) -> Iterator[Note]:
    """Components that are missing or incomplete, by reason."""
    by_reason: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        by_reason.setdefault(reason, []).append(label)
    for reason, labels in by_reason.items():
        text = f"{plural(len(labels), 'component')} of the task {state} ({reason}): {listed(labels, _SHOWN)}"
        yield Note(NoteKind.MISSING, text, count=len(labels))


def _table_notes(tables: Sequence[TaskTable], tests: TaskTests | None) -> list[Note]:
    """Which metrics are not ranked, and what was not tested."""
    notes = []
    for table in tables:
        if table.dropped:
            lacking = (f"{metric} lacks {count}" for metric, count in table.dropped.items())
            text = f"metrics without a value in all components are dropped: {listed(lacking, 2 * _SHOWN)}"
            notes.append(Note(NoteKind.EXCLUDED, text, where=table.title, count=len(table.dropped)))
        if fewer := {row.metric: next(iter(row.fewer_systems.values())) for row in table.metrics if row.fewer_systems}:
            counts = (f"{metric} ({count})" for metric, count in fewer.items())
            text = (
                "metrics on fewer systems than most come after the others, whatever their values: "
                f"{listed(counts, 2 * _SHOWN)}"
            )
            notes.append(Note(NoteKind.MISSING, text, where=table.title, count=len(fewer)))
        if last := [row.metric for row in table.metrics if row.rank is None]:
            text = f"metrics that lack components come last, averaged over what they have: {listed(last, 2 * _SHOWN)}"
            notes.append(Note(NoteKind.MISSING, text, where=table.title, count=len(last)))
        if tests is not None:
            notes += _test_notes(table)
    return notes


def _test_notes(table: TaskTable) -> Iterator[Note]:
    """What could not be tested."""
    if table.test is None:
        text = f"the score was not tested: {table.components[0].test} does not draw (perm-systems and perm-segments do)"
        yield Note(NoteKind.UNDEFINED, text, where=table.title)
        return
    for reason, count in table.test.untested.items():
        text = f"the score of {plural(count, 'pair')} of metrics was not tested: {reason}"
        yield Note(NoteKind.UNDEFINED, text, where=table.title, count=count)
    if untested := [row.metric for row in table.metrics if math.isnan(row.average_rank.value) and row.rank is not None]:
        text = f"no average rank, because they were not tested in some component: {listed(untested, 2 * _SHOWN)}"
        yield Note(NoteKind.UNDEFINED, text, where=table.title, count=len(untested))


def _interval_bases(tables: Iterable[TaskTable]) -> Iterator[IntervalBasis | None]:
    values = (row.values.values() for table in tables for row in table.metrics)
    return (value.basis for value in chain.from_iterable(values))
