"""`assay.score`: score a test set with metrics, giving a `Run`."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.arguments import checked_arguments
from assay.checks import check_choice, check_share
from assay.contracts import Metric
from assay.errors import ConfigError, nearest, option
from assay.measurement import AGGREGATIONS, Measured, MetricLike, check_finite, measure, naming_metric, signature_of
from assay.registry import option_text
from assay.resample import CONFIDENCE, RESAMPLES, SEED, Bootstrap
from assay.results import Estimate, MetricScores, Run, Scores
from assay.runtime import Runtime
from assay.segment_groups import GROUPINGS, Group, groups_of
from assay.types import FloatArray, LazyDict, Scorable, TestSet

__all__ = ["AGGREGATIONS", "DEFAULT_AGGREGATIONS", "DEFAULT_METRICS", "score"]

DEFAULT_AGGREGATIONS = ("corpus", "segment")
DEFAULT_METRICS = ("bleu", "chrf")

Segments: TypeAlias = npt.NDArray[np.intp]


@checked_arguments
def score(
    testset: TestSet,
    metrics: MetricLike | Iterable[MetricLike] = DEFAULT_METRICS,
    *,
    agg: str | Iterable[str] | None = None,
    by: str | Iterable[str] = (),
    resamples: int = RESAMPLES,
    size: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> Run:
    """Score every system with every metric, under every aggregation.

    A metric is a spec like `bleu:tok=intl`, a metric object, or a table of segment scores computed by another program;
    `metrics` are one or several, as a list or separated by commas.
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
    if size is not None and "bootstrap" not in plan.aggregations:
        message = f"{option('size')} has no effect without the bootstrap aggregation"
        raise ConfigError(message, hint=f"add it: {option('agg', 'bootstrap')}")
    groups = groups_of(testset, _choices("grouping", by, GROUPINGS))
    measurements = measure(testset, metrics, plan.runtime)
    results = _aggregate(list(measurements.metrics.values()), groups, plan)
    return Run(
        measurements.testset,
        dict(zip(measurements.metrics, results, strict=True)),
        measurements.specs,
        notes=measurements.notes,
    )


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
        check_share("confidence", self.confidence)
        if "bootstrap" in self.aggregations and self.bootstrap.resamples == 0:
            hint = f"e.g. {option('resamples', 1000)}"
            raise ConfigError("the bootstrap aggregation needs at least one resample", hint=hint)


def _aggregate(metrics: Sequence[Measured], groups: Iterable[Group], plan: _Plan) -> Iterator[MetricScores]:
    """Turn statistics into scores, for all segments and for each group of them. All metrics share the resamples."""
    aggregations: list[dict[str, Scores]] = [{} for _ in metrics]
    group_scores: list[list[Scores]] = [[] for _ in metrics]
    all_segments = np.arange(metrics[0].statistics.table.shape[1])
    for label, segments in ((None, all_segments), *((group.name, group.segments) for group in groups)):
        tables = [_tables(measured, segments, plan) for measured in metrics]
        replicates = _replicates(metrics, tables, plan)
        for i, measured in enumerate(metrics):
            for name, scorable in tables[i].items():
                scores = _scores(measured, name, scorable, replicates[i][name], label, plan)
                if label is None:
                    aggregations[i][name] = scores
                else:
                    group_scores[i].append(scores)
    for i, measured in enumerate(metrics):
        yield MetricScores(
            spec=measured.spec,
            statistics=measured.statistics,
            segments=LazyDict(measured.statistics.systems, functools.partial(getattr, measured, "segment_scores")),
            aggregations=aggregations[i],
            segment_signature=signature_of(measured.metric.segment_form, measured.references, "none", ()),
            default_aggregation=measured.metric.default_aggregation,
            higher_is_better=measured.metric.higher_is_better,
            groups=tuple(group_scores[i]),
            sacrebleu_signature=measured.metric.sacrebleu_signature(measured.references),
            nondefault_options=measured.nondefault_options,
        )


def _tables(measured: Measured, segments: Segments, plan: _Plan) -> dict[str, Scorable]:
    """The scorable of each aggregation, over the segments that are scored for all systems."""
    common = measured.common(segments)
    corpus = measured.corpus.take(common)
    return {name: measured.mean.take(common) if name == "segment" else corpus for name in plan.aggregations}


def _replicates(
    metrics: Sequence[Measured], tables: Sequence[Mapping[str, Scorable]], plan: _Plan
) -> list[dict[str, FloatArray]]:
    """Resampled scores (system, resample) of each metric by aggregation.

    Intervals need resamples as large as the test set; the bootstrap aggregation has a size of its own. Everything with
    the same number of segments and the same size is resampled at once.
    """
    replicates: list[dict[str, FloatArray]] = [{} for _ in tables]
    requests: dict[tuple[int, int], dict[tuple[int, str], Scorable]] = {}
    for i, scorables in enumerate(tables):
        for name, scorable in scorables.items():
            segments = scorable.table.shape[1]
            size = plan.bootstrap.size if name == "bootstrap" and plan.bootstrap.size else segments
            requests.setdefault((segments, size), {})[i, name] = scorable
    for (segments, size), requested in requests.items():
        bootstrap = dataclasses.replace(plan.bootstrap, size=None if size == segments else size)
        distinct = {id(scorable): scorable.table for scorable in requested.values()}
        sums = dict(zip(distinct, bootstrap.sums(list(distinct.values()), plan.runtime), strict=True))
        for (i, name), scorable in requested.items():
            with naming_metric(metrics[i].spec, metrics[i].metric):
                replicates[i][name] = scorable.score(sums[id(scorable)])
    return replicates


def _scores(
    measured: Measured, aggregation: str, scorable: Scorable, replicates: FloatArray, group: str | None, plan: _Plan
) -> Scores:
    with naming_metric(measured.spec, measured.metric):
        estimates = _estimates(aggregation, scorable, replicates, measured.metric, plan)
    signature = signature_of(measured.metric, measured.references, aggregation, _resampling(aggregation, plan))
    return Scores(aggregation, signature, dict(zip(scorable.systems, estimates, strict=True)), group)


def _estimates(
    aggregation: str, scorable: Scorable, replicates: FloatArray, metric: Metric, plan: _Plan
) -> list[Estimate]:
    systems, segments, _ = scorable.table.shape
    if segments == 0:
        reason = "no segment was scored" if systems == 1 else "no segment was scored for all systems"
        return [Estimate(math.nan, 0, reason=reason)] * systems
    values = _bootstrap_means(replicates) if aggregation == "bootstrap" else scorable.values(plan.runtime)
    check_finite(values)
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


def _choices(kind: str, names: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Names without duplicates and empty ones."""
    requested = tuple(dict.fromkeys(filter(None, names)))
    for name in requested:
        check_choice(kind, name, known)
    return requested
