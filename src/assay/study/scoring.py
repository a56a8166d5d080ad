"""`assay.score`: a test set and metrics in, a `Run` out."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.contracts import Metric
from assay.errors import ConfigError, InputError, NameClashError, nearest
from assay.metrics import metric as metric_registry
from assay.registry import option_text, options_of
from assay.resample import Bootstrap
from assay.results import Estimate, MetricScores, Run, Scores
from assay.study.grouping import GROUPINGS, groups_of
from assay.study.imported import Imported
from assay.types import FloatArray, ScoreTable, Signature, Statistics, Table, TestSet
from assay.version import __version__

__all__ = ["AGGREGATIONS", "DEFAULT_METRICS", "Progress", "default_threads", "score", "thread_count"]

AGGREGATIONS = ("corpus", "segment", "bootstrap")
DEFAULT_METRICS = ("bleu", "chrf")
_MAX_THREADS = 1024

Requested: TypeAlias = str | Metric | ScoreTable
Segments: TypeAlias = npt.NDArray[np.intp]
Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, and how many of how many steps are finished."""


def score(
    testset: TestSet,
    metrics: Requested | Iterable[Requested] = DEFAULT_METRICS,
    *,
    agg: str | Iterable[str] | None = None,
    by: str | Iterable[str] = (),
    resamples: int = 1000,
    size: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Score every system with every metric, under every aggregation asked for.

    A metric is a spec like `bleu:tok=intl`, a metric itself, or a table of segment scores that were computed elsewhere.
    `agg`: corpus, segment, bootstrap (default: all that `resamples` allows). `by`: also score each document, domain or
    length bucket. Intervals are percentile intervals over `resamples` bootstrap resamples (0: none); `size` is the
    number of segments in a resample of the bootstrap aggregation (default: all). `threads` (default: all cores) never
    changes an answer. `progress` is called before each metric and at the end.
    """
    draws = Bootstrap(resamples, size, seed)
    possible = AGGREGATIONS if draws.resamples else ("corpus", "segment")
    plan = _Plan(
        aggregations=possible if agg is None else _choices("aggregation", agg, AGGREGATIONS),
        draws=draws,
        confidence=confidence,
        threads=thread_count(threads),
    )
    testset = _without_references(testset)
    groups = groups_of(testset, _choices("grouping", by, GROUPINGS))
    chosen = [metrics] if isinstance(metrics, str | Metric | ScoreTable) else list(metrics)
    if not chosen:
        raise ConfigError("no metric was asked for", hint="e.g. bleu")
    results: dict[str, MetricScores] = {}
    asked: dict[str, str] = {}
    notes = list(testset.notes)
    tables: dict[object, Table] = {}
    for step, requested in enumerate(chosen):
        if progress is not None:
            progress(f"scoring {requested if isinstance(requested, str) else requested.name}", step, len(chosen))
        if isinstance(requested, ScoreTable):
            measured = _measure_imported(testset, requested)
        else:
            measured = _measure(testset, requested, plan.threads, tables)
        if measured.spec in results and not (isinstance(requested, str) and measured.spec in asked.values()):
            raise NameClashError(f"two metrics are called '{measured.spec}'", hint="give one another name")
        results[measured.spec] = _metric_scores(measured, groups, plan)
        notes += [*measured.metric.advice(testset), *_gap_notes(measured)]
        if isinstance(requested, str):
            asked[requested] = measured.spec
    if progress is not None:
        progress("scored", len(chosen), len(chosen))
    return Run(testset, results, tuple(dict.fromkeys(notes)), asked)


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """How scores are aggregated."""

    aggregations: tuple[str, ...]
    draws: Bootstrap
    confidence: float
    threads: int

    def __post_init__(self) -> None:
        if not self.aggregations:
            raise ConfigError("no aggregation was asked for", hint=nearest("", AGGREGATIONS))
        if not 0 < self.confidence < 1:
            raise ConfigError(f"confidence must be between 0 and 1, not {self.confidence:g}")
        if "bootstrap" in self.aggregations and self.draws.resamples == 0:
            raise ConfigError("the bootstrap aggregation needs at least one resample", hint="e.g. --resamples 1000")


@dataclasses.dataclass(frozen=True, slots=True)
class _Measured:
    """A metric, prepared, and what it measured."""

    spec: str
    metric: Metric
    references: str  # how many a segment has, or `var`
    statistics: Statistics
    segment_scores: FloatArray  # (system, segment), NaN where unscored or undefined


def _measure(testset: TestSet, requested: str | Metric, threads: int, tables: dict[object, Table]) -> _Measured:
    original = metric_registry.create(requested)
    spec = metric_registry.spec(original)
    if "reference" in original.needs and not testset.references:
        raise InputError(f"{spec} needs a reference and none was given", hint="e.g. --ref ref.de")
    if "source" in original.needs and testset.sources is None:
        raise InputError(f"{spec} needs the sources and none were given", hint="e.g. --src src.en")
    metric, references = original.prepare(testset), testset.reference_count
    key = (type(metric), *(option for option in options_of(metric) if option[0] not in metric.score_options))
    if key not in tables:
        tables[key] = metric.statistics(testset, threads=threads)
    statistics = Statistics(
        systems=testset.systems,
        columns=metric.columns,
        table=tables[key],
        scored=testset.scorable(metric.needs),
        signature=_signature(metric, references, "statistics", ()),
    )
    segment_scores = np.where(statistics.scored, metric.segment_form.score(statistics.table), np.nan)
    segment_scores.flags.writeable = False
    return _Measured(spec, metric, references, statistics, segment_scores)


def _measure_imported(testset: TestSet, table: ScoreTable) -> _Measured:
    metric, references = Imported(table), str(len(table.references))
    values = metric.statistics(testset, threads=1)
    scored = values[..., 1] > 0
    statistics = Statistics(
        testset.systems, metric.columns, values, scored, _signature(metric, references, "statistics", ())
    )
    segment_scores = np.where(scored, values[..., 0], np.nan)
    segment_scores.flags.writeable = False
    return _Measured(table.name, metric, references, statistics, segment_scores)


def _metric_scores(measured: _Measured, groups: Iterable[tuple[str, Segments]], plan: _Plan) -> MetricScores:
    systems, everything = measured.statistics.systems, np.arange(measured.statistics.table.shape[1])
    corpus = aggregate.Scorable(measured.statistics.table, measured.metric.score)
    mean = aggregate.mean_of(measured.segment_scores)

    def scores(segments: Segments, group: str | None) -> Iterator[Scores]:
        """Under each aggregation, over those of the segments that were scored for all systems."""
        common = segments[measured.statistics.scored[:, segments].all(axis=0)]
        tables = {"corpus": corpus.take(common), "segment": mean.take(common)}
        tables["bootstrap"] = tables["corpus"]
        replicates = _replicates(tables["corpus"], tables["segment"], len(common), plan)
        for name in plan.aggregations:
            estimates = _estimates(name, tables[name], replicates[name], measured.metric, plan)
            signature = _signature(measured.metric, measured.references, name, _resampling(name, plan))
            yield Scores(name, signature, dict(zip(systems, estimates, strict=True)), group)

    return MetricScores(
        spec=measured.spec,
        statistics=measured.statistics,
        segments=dict(zip(systems, measured.segment_scores, strict=True)),
        aggregations={found.aggregation: found for found in scores(everything, None)},
        segment_signature=_signature(measured.metric.segment_form, measured.references, "none", ()),
        default_aggregation=measured.metric.default_aggregation,
        higher_is_better=measured.metric.higher_is_better,
        groups=tuple(found for label, members in groups for found in scores(members, label)),
        sacrebleu_signature=measured.metric.sacrebleu_signature(measured.references),
    )


def _replicates(
    corpus: aggregate.Scorable, mean: aggregate.Scorable, segments: int, plan: _Plan
) -> dict[str, FloatArray]:
    """Resampled scores (system, resample) by aggregation. Intervals need resamples of the size of the test set."""

    def draw(scorables: list[aggregate.Scorable], draws: Bootstrap) -> list[FloatArray]:
        weights = draws.blocks(segments, threads=plan.threads) if segments else ()
        return aggregate.resampled_scores(scorables, weights, threads=plan.threads)

    if plan.draws.resamples == 0:
        return dict.fromkeys(plan.aggregations, np.empty((len(corpus.table), 0)))
    full = dataclasses.replace(plan.draws, size=None)
    sizes_agree = plan.draws.size in (None, segments)
    found = {}
    if set(plan.aggregations) != {"bootstrap"} or sizes_agree:
        found["corpus"], found["segment"] = draw([corpus, mean], full)
    if "bootstrap" in plan.aggregations:
        found["bootstrap"] = found["corpus"] if sizes_agree else draw([corpus], plan.draws)[0]
    return found


def _estimates(
    aggregation: str, scorable: aggregate.Scorable, replicates: FloatArray, metric: Metric, plan: _Plan
) -> list[Estimate]:
    systems, segments, _ = scorable.table.shape
    if segments == 0:
        nothing = "no segment was scored" if systems == 1 else "no segment was scored for all systems"
        return [Estimate(math.nan, 0, reason=nothing)] * systems
    values = scorable.values(threads=plan.threads)
    found = []
    for value, rows, drawn in zip(values, scorable.table, replicates, strict=True):
        defined = drawn[~np.isnan(drawn)]
        n, error = segments, float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
        if aggregation == "segment":
            n, error = int(rows[:, 1].sum()), _standard_error(rows[rows[:, 1] > 0, 0])
        if aggregation == "bootstrap":
            value = defined.mean() if len(defined) else math.nan
        reason = metric.undefined if math.isnan(value) else None
        if reason is None and len(defined) < len(drawn):
            reason = f"undefined in {len(drawn) - len(defined)} of {len(drawn)} resamples"
        low, high = aggregate.interval(defined, plan.confidence) if len(defined) > 1 else (math.nan, math.nan)
        found.append(Estimate(float(value), n, float(low), float(high), error, reason))
    return found


def _standard_error(values: FloatArray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def _signature(metric: Metric, references: str, aggregation: str, resampling: tuple[tuple[str, str], ...]) -> Signature:
    form = metric.segment_form if aggregation == "segment" else metric
    options = [(key, option_text(value)) for key, value in options_of(form)]
    if isinstance(form, Imported):
        options = list(form.parameters)
    return Signature(
        metric=form.name,
        parameters=tuple((key, text) for key, text in options if text),
        references=references,
        aggregation=aggregation,
        resampling=resampling,
        resources=tuple(sorted(form.resources.items())),
        version=__version__,
    )


def _resampling(aggregation: str, plan: _Plan) -> tuple[tuple[str, str], ...]:
    if plan.draws.resamples == 0:
        return ()
    size = [("size", str(plan.draws.size or "all"))] if aggregation == "bootstrap" else []
    return (
        ("resamples", str(plan.draws.resamples)),
        *size,
        ("seed", str(plan.draws.seed)),
        ("confidence", option_text(plan.confidence)),
    )


def _gap_notes(measured: _Measured) -> list[str]:
    """Scores are over the segments that all systems have: which are not, and because of whom."""
    scored = measured.statistics.scored
    segments, complete = scored.shape[1], int(np.count_nonzero(scored.all(axis=0)))
    if complete == segments:
        return []
    lacking = [name for name, row in zip(measured.statistics.systems, scored, strict=True) if not row.all()]
    shown = ", ".join(lacking[:3]) + (f" and {len(lacking) - 3} more" if len(lacking) > 3 else "")
    return [
        f"{measured.spec}: {segments - complete:,} of {segments:,} segments were left out, where an output or what the "
        f"metric needs is absent ({shown})"
    ]


def _without_references(testset: TestSet) -> TestSet:
    """A reference that is also among the systems would be scored against itself."""
    human = testset.reference_systems
    others = [name for name in testset.systems if name not in human]
    if human and others:
        note = f"left out: {', '.join(human)} (the reference it would be scored against)"
        testset = dataclasses.replace(testset.with_systems(others), notes=(*testset.notes, note))
    copies = [
        f"the output of {system} is the reference {name}, line by line"
        for system, column in testset.outputs.items()
        for name, reference in testset.references.items()
        if column == reference
    ]
    return dataclasses.replace(testset, notes=(*testset.notes, *copies)) if copies else testset


def _choices(kind: str, given: str | Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    names = [part.strip() for part in given.split(",")] if isinstance(given, str) else list(given)
    for name in filter(None, names):
        if name not in known:
            raise ConfigError(f"unknown {kind} '{name}'", hint=nearest(name, known))
    return tuple(dict.fromkeys(filter(None, names)))


def default_threads() -> int:
    """As many as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """How many threads to use, checked; None: all cores."""
    if threads is None:
        return default_threads()
    if not isinstance(threads, int) or not 1 <= threads <= _MAX_THREADS:
        raise ConfigError(f"threads must be a whole number between 1 and {_MAX_THREADS:,}, not {threads}")
    return threads
