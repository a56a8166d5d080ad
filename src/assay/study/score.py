"""`assay.score`: score a test set with metrics, giving a `Run`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.contracts import Metric
from assay.errors import ConfigError, InputError, NameClashError, nearest
from assay.metrics import metric as metric_registry
from assay.metrics.external import ExternalScores
from assay.registry import option_text, option_texts, options_of
from assay.resample import Bootstrap
from assay.results import Estimate, MetricScores, Run, Scores
from assay.runtime import Runtime
from assay.segment_groups import GROUPINGS, groups_of
from assay.types import FloatArray, Note, NoteKind, Scorable, ScoreTable, Signature, Statistics, Table, TestSet
from assay.version import __version__

__all__ = ["AGGREGATIONS", "DEFAULT_AGGREGATIONS", "DEFAULT_METRICS", "score"]

AGGREGATIONS = ("corpus", "segment", "bootstrap")
DEFAULT_AGGREGATIONS = ("corpus", "segment")
DEFAULT_METRICS = ("bleu", "chrf")

MetricLike: TypeAlias = str | Metric | ScoreTable
Segments: TypeAlias = npt.NDArray[np.intp]


def score(
    testset: TestSet,
    metrics: MetricLike | Iterable[MetricLike] = DEFAULT_METRICS,
    *,
    agg: str | Iterable[str] | None = None,
    by: str | Iterable[str] = (),
    resamples: int = 1000,
    size: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    runtime: Runtime | None = None,
) -> Run:
    """Score every system with every metric, under every aggregation.

    A metric is a spec like `bleu:tok=intl`, a metric object, or a table of segment scores computed by another program.
    `agg` is corpus, segment or bootstrap, or several of them (default: corpus and segment). `by` also scores
    each document, domain or length bucket. Intervals are percentile intervals over `resamples` bootstrap resamples (0:
    none); `size` is the number of segments in a resample of the bootstrap aggregation (default: all). `runtime` sets
    threads, device and progress.
    """
    bootstrap = Bootstrap(resamples, size, seed)
    plan = _Plan(
        aggregations=DEFAULT_AGGREGATIONS if agg is None else _choices("aggregation", agg, AGGREGATIONS),
        bootstrap=bootstrap,
        confidence=confidence,
        runtime=runtime or Runtime(),
    )
    testset = _exclude_references(testset)
    groups = groups_of(testset, _choices("grouping", by, GROUPINGS))
    requested_metrics = [metrics] if isinstance(metrics, str | Metric | ScoreTable) else list(metrics)
    if not requested_metrics:
        raise ConfigError("no metric was given", hint="e.g. bleu")
    results: dict[str, MetricScores] = {}
    specs: dict[str, str] = {}
    notes = list(testset.notes)
    tables: dict[object, Table] = {}
    for requested in plan.runtime.track(requested_metrics, _task):
        spec, metric = _load_metric(requested)
        measured = _measure(testset, spec, metric, plan.runtime, tables)
        if spec in results and not (isinstance(requested, str) and spec in specs.values()):
            raise NameClashError(f"two metrics are called '{spec}'", hint="rename one of them")
        results[spec] = _aggregate(measured, groups, plan)
        notes += [*measured.metric.advice(testset), *_gap_notes(measured)]
        if isinstance(requested, str):
            specs[requested] = spec
    return Run(testset, results, specs, notes=tuple(dict.fromkeys(notes)))


def _task(requested: MetricLike) -> str:
    return f"scoring {requested if isinstance(requested, str) else requested.name}"


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """How to aggregate."""

    aggregations: tuple[str, ...]
    bootstrap: Bootstrap
    confidence: float
    runtime: Runtime

    def __post_init__(self) -> None:
        if not self.aggregations:
            raise ConfigError("no aggregation was given", hint=nearest("", AGGREGATIONS))
        if not 0 < self.confidence < 1:
            raise ConfigError(f"confidence must be between 0 and 1, not {self.confidence:g}")
        if "bootstrap" in self.aggregations and self.bootstrap.resamples == 0:
            raise ConfigError("the bootstrap aggregation needs at least one resample", hint="e.g. --resamples 1000")


def _exclude_references(testset: TestSet) -> TestSet:
    """The test set without systems that are also references, which would be scored against themselves."""
    human = testset.reference_systems
    others = [name for name in testset.systems if name not in human]
    notes = []
    if human and others:
        testset = testset.with_systems(others)
        text = f"excluded systems that are also references: {', '.join(human)}"
        notes.append(Note(NoteKind.EXCLUDED, text, count=len(human)))
    notes += [
        Note(NoteKind.SUSPECT, f"the output of {system} is identical to the reference {name}")
        for system, column in testset.outputs.items()
        for name, reference in testset.references.items()
        if column == reference
    ]
    return dataclasses.replace(testset, notes=(*testset.notes, *notes)) if notes else testset


def _load_metric(requested: MetricLike) -> tuple[str, Metric]:
    """A metric and the name of its results in the run: its spec, or the name of a score table."""
    if isinstance(requested, ScoreTable):
        return requested.name, ExternalScores.of(requested)
    metric = metric_registry.create(requested)
    return metric_registry.spec(metric), metric


@dataclasses.dataclass(frozen=True, slots=True)
class _Measured:
    """A prepared metric and its statistics."""

    spec: str
    metric: Metric
    references: str  # number of references of a segment, or `var`
    statistics: Statistics
    segment_scores: FloatArray  # (system, segment), NaN where unscored or undefined
    nondefault_options: tuple[tuple[str, str], ...] | None = None


def _measure(testset: TestSet, spec: str, metric: Metric, runtime: Runtime, tables: dict[object, Table]) -> _Measured:
    """Turn text into statistics. `tables` keeps them for metrics that differ only in how they score."""
    _check_needs(testset, spec, metric.needs)
    original, metric, references = metric, metric.prepare(testset), metric.reference_count(testset)
    key = (type(metric), *(option for option in options_of(metric) if option[0] not in metric.score_options))
    if key not in tables:
        tables[key] = metric.statistics(testset, runtime)
    statistics = Statistics(
        systems=testset.systems,
        columns=metric.columns,
        table=tables[key],
        scored=metric.scorable(testset),
        signature=_signature(metric, references, "statistics", ()),
    )
    segment_scores = np.where(statistics.scored, metric.segment_form.score(statistics.table), np.nan)
    segment_scores.flags.writeable = False
    options = _nondefault_options(spec, original, metric, testset)
    return _Measured(spec, metric, references, statistics, segment_scores, options)


def _check_needs(testset: TestSet, spec: str, needs: frozenset[str]) -> None:
    """Raise if the test set has no column or layer of a kind that a metric needs."""
    if "reference" in needs and not testset.references:
        raise InputError(f"{spec} needs a reference", hint="e.g. --ref ref.de")
    if "source" in needs and testset.sources is None:
        raise InputError(f"{spec} needs the sources", hint="e.g. --src src.en")
    for layer in sorted(needs - {"reference", "source"}):
        if not testset.annotations.get(layer):
            layers = ", ".join(testset.annotations) or "none"
            raise InputError(
                f"{spec} needs the annotation layer '{layer}', which the test set does not have",
                hint=f"layers of the test set: {layers}",
            )


def _nondefault_options(
    spec: str, original: Metric, prepared: Metric, testset: TestSet
) -> tuple[tuple[str, str], ...] | None:
    """Options that differ from the defaults of the name in the spec, for an unknown target language."""
    try:
        default = metric_registry.create(spec.partition(":")[0])
    except ConfigError:  # a score table, or an option without a default
        return None
    if type(default) is not type(prepared):  # a score table with the name of a metric
        return None
    if options_of(original) != options_of(prepared):  # set by `prepare`
        default = default.prepare(dataclasses.replace(testset, lp=None) if testset.lp else testset)
    defaults, texts = dict(options_of(default)), option_texts(prepared)
    return tuple((key, texts[key]) for key, value in options_of(prepared) if value != defaults[key])


def _aggregate(measured: _Measured, groups: Iterable[tuple[str, Segments]], plan: _Plan) -> MetricScores:
    """Turn statistics into scores, for all segments and for each group of them."""
    systems, all_segments = measured.statistics.systems, np.arange(measured.statistics.table.shape[1])
    corpus = Scorable(measured.statistics.table, measured.metric.score, measured.statistics.scored, systems)
    mean = Scorable.of_segments(measured.segment_scores, systems)

    def scores(segments: Segments, group: str | None) -> Iterator[Scores]:
        """Scores under each aggregation, over the segments that are scored for all systems."""
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
        aggregations={overall.aggregation: overall for overall in scores(all_segments, None)},
        segment_signature=_signature(measured.metric.segment_form, measured.references, "none", ()),
        default_aggregation=measured.metric.default_aggregation,
        higher_is_better=measured.metric.higher_is_better,
        groups=tuple(group_scores for label, segments in groups for group_scores in scores(segments, label)),
        sacrebleu_signature=measured.metric.sacrebleu_signature(measured.references),
        nondefault_options=measured.nondefault_options,
    )


def _replicates(corpus: Scorable, mean: Scorable, segments: int, plan: _Plan) -> dict[str, FloatArray]:
    """Resampled scores (system, resample) by aggregation. Intervals need resamples as large as the test set."""

    def draw(scorables: list[Scorable], bootstrap: Bootstrap) -> list[FloatArray]:
        weights = bootstrap.blocks(segments, plan.runtime) if segments else ()
        return aggregate.resampled_scores(scorables, weights, plan.runtime)

    if plan.bootstrap.resamples == 0:
        return dict.fromkeys(plan.aggregations, np.empty((len(corpus.table), 0)))
    full = dataclasses.replace(plan.bootstrap, size=None)
    sizes_agree = plan.bootstrap.size in (None, segments)
    replicates = {}
    if set(plan.aggregations) != {"bootstrap"} or sizes_agree:
        replicates["corpus"], replicates["segment"] = draw([corpus, mean], full)
    if "bootstrap" in plan.aggregations:
        replicates["bootstrap"] = replicates["corpus"] if sizes_agree else draw([corpus], plan.bootstrap)[0]
    return replicates


def _estimates(
    aggregation: str, scorable: Scorable, replicates: FloatArray, metric: Metric, plan: _Plan
) -> list[Estimate]:
    systems, segments, _ = scorable.table.shape
    if segments == 0:
        reason = "no segment was scored" if systems == 1 else "no segment was scored for all systems"
        return [Estimate(math.nan, 0, reason=reason)] * systems
    values = _bootstrap_means(replicates) if aggregation == "bootstrap" else scorable.values(plan.runtime)
    estimates = []
    for value, table, mask, resampled in zip(values, scorable.table, scorable.mask, replicates, strict=True):
        undefined = metric.undefined if math.isnan(value) else None
        estimate = aggregate.estimate_from_replicates(value, resampled, segments, plan.confidence, reason=undefined)
        if aggregation == "segment":
            estimate = _with_deviation(estimate, table[mask, 0])
        estimates.append(estimate)
    return estimates


def _bootstrap_means(replicates: FloatArray) -> list[float]:
    """The mean of the defined replicates of each system."""
    defined = [row[~np.isnan(row)] for row in replicates]
    return [float(row.mean()) if len(row) else math.nan for row in defined]


def _with_deviation(estimate: Estimate, values: FloatArray) -> Estimate:
    """The estimate of a mean of segment scores, with their standard deviation s and the standard error s / sqrt(n)."""
    deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    error = deviation / math.sqrt(len(values)) if len(values) else math.nan
    return dataclasses.replace(estimate, n=len(values), standard_error=error, standard_deviation=deviation)


def _signature(metric: Metric, references: str, aggregation: str, resampling: tuple[tuple[str, str], ...]) -> Signature:
    form = metric.segment_form if aggregation == "segment" else metric
    return Signature(
        metric=form.name,
        parameters=tuple((name, text) for name, text in option_texts(form).items() if text),
        references=references,
        aggregation=aggregation,
        resampling=resampling,
        resources=tuple(sorted(form.resources.items())),
        version=__version__,
    )


def _resampling(aggregation: str, plan: _Plan) -> tuple[tuple[str, str], ...]:
    if plan.bootstrap.resamples == 0:
        return ()
    size = [("size", str(plan.bootstrap.size or "all"))] if aggregation == "bootstrap" else []
    return (
        ("resamples", str(plan.bootstrap.resamples)),
        *size,
        ("seed", str(plan.bootstrap.seed)),
        ("confidence", option_text(plan.confidence)),
    )


def _gap_notes(measured: _Measured) -> list[Note]:
    """A note on the segments that are not scored for all systems, and the systems that lack them."""
    scored = measured.statistics.scored
    segments, complete = scored.shape[1], int(np.count_nonzero(scored.all(axis=0)))
    excluded = segments - complete
    if not excluded:
        return []
    incomplete = [name for name, row in zip(measured.statistics.systems, scored, strict=True) if not row.all()]
    names = ", ".join(incomplete[:3]) + (f" and {len(incomplete) - 3} more" if len(incomplete) > 3 else "")
    text = f"excluded {excluded:,} of {segments:,} segments, which lack an output or other input for {names}"
    return [Note(NoteKind.EXCLUDED, text, where=measured.spec, count=excluded)]


def _choices(kind: str, names: str | Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Names without duplicates, from a list or separated by commas."""
    requested = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    for name in filter(None, requested):
        if name not in known:
            raise ConfigError(f"unknown {kind} '{name}'", hint=nearest(name, known))
    return tuple(dict.fromkeys(filter(None, requested)))
