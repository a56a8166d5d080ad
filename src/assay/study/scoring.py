"""`assay.score`: a test set and metrics in, a `Run` out."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.contracts import Metric
from assay.errors import ConfigError, InputError, nearest
from assay.metrics import metric as metric_registry
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import Estimate, MetricScores, Run, Scores
from assay.types import FloatArray, Signature, Statistics, TestSet
from assay.version import __version__

__all__ = ["AGGREGATIONS", "DEFAULT_METRICS", "GROUPINGS", "score"]

AGGREGATIONS = ("corpus", "segment", "bootstrap")
GROUPINGS = ("document", "domain", "length")
DEFAULT_METRICS = ("bleu", "chrf")
LENGTH_BUCKETS = 4


def score(
    testset: TestSet,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    agg: str | Iterable[str] = AGGREGATIONS,
    by: str | Iterable[str] = (),
    resamples: int = 1000,
    size: int | None = None,
    seed: int = 12345,
    confidence: float = 0.95,
    threads: int | None = None,
) -> Run:
    """Score every system with every metric, under every aggregation asked for.

    `agg`: corpus, segment, bootstrap. `by`: also score each document, domain or length bucket. Intervals are percentile
    intervals over `resamples` bootstrap resamples (0: none); `size` is the number of segments in a resample of the bootstrap
    aggregation (default: all). `threads` (default: all cores) never changes an answer.
    """
    aggregations = _choices("aggregation", agg, AGGREGATIONS)
    groupings = _choices("grouping", by, GROUPINGS)
    if not 0 < confidence < 1:
        raise ConfigError(f"confidence must be between 0 and 1, not {confidence:g}")
    if "bootstrap" in aggregations and resamples == 0:
        raise ConfigError("the bootstrap aggregation needs at least one resample")
    plan = _Plan(
        aggregations=aggregations,
        interval_draws=Bootstrap(resamples, None, seed),
        bootstrap_draws=Bootstrap(resamples, size, seed),
        confidence=confidence,
        threads=_thread_count(threads),
    )
    chosen = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not chosen:
        raise ConfigError("no metric was asked for", hint="e.g. bleu")
    cells = [_measure(testset, requested, plan.threads) for requested in chosen]
    groups = [(None, np.arange(len(testset))), *_groups(testset, groupings)]
    found = {label: _aggregate(cells, testset, segments, label, plan) for label, segments in groups}
    results = {}
    for cell, whole in zip(cells, found[None], strict=True):
        results[cell.spec] = MetricScores(
            spec=cell.spec,
            statistics=cell.statistics,
            segments=dict(zip(testset.systems, cell.segment_scores, strict=True)),
            aggregations=whole,
            default_aggregation=cell.metric.default_aggregation,
            higher_is_better=cell.metric.higher_is_better,
            groups=tuple(
                scores
                for label, _ in groups[1:]
                for each, by_aggregation in zip(cells, found[label], strict=True)
                if each is cell
                for scores in by_aggregation.values()
            ),
            sacrebleu_signature=cell.metric.sacrebleu_signature(testset.reference_count),
        )
    notes = (*testset.notes, *(note for cell in cells for note in _gap_notes(cell)))
    asked = {given: cell.spec for given, cell in zip(chosen, cells, strict=True) if isinstance(given, str)}
    return Run(len(testset), testset.systems, results, tuple(dict.fromkeys(notes)), asked)


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    aggregations: tuple[str, ...]
    interval_draws: Bootstrap
    bootstrap_draws: Bootstrap
    confidence: float
    threads: int


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """One metric, prepared and measured."""

    spec: str
    metric: Metric
    statistics: Statistics
    segment_scores: FloatArray  # (system, segment), NaN where unscored or undefined


def _measure(testset: TestSet, requested: str | Metric, threads: int) -> _Cell:
    original = metric_registry.create(requested) if isinstance(requested, str) else requested
    spec = metric_registry.spec(original)
    if "reference" in original.needs and not testset.references:
        raise InputError(f"{spec} needs a reference and none was given", hint="e.g. --ref ref.de")
    if "source" in original.needs and testset.sources is None:
        raise InputError(f"{spec} needs the sources and none were given", hint="e.g. --src src.en")
    metric = original.prepare(testset)
    statistics = Statistics(
        systems=testset.systems,
        columns=metric.columns,
        table=metric.statistics(testset, threads=threads),
        scored=testset.scorable(metric.needs),
        signature=_signature(metric, testset, "statistics"),
    )
    segment_scores = np.where(statistics.scored, metric.segment_form.score(statistics.table), np.nan)
    segment_scores.flags.writeable = False
    return _Cell(spec, metric, statistics, segment_scores)


def _aggregate(
    cells: Sequence[_Cell], testset: TestSet, segments: npt.NDArray[np.intp], group: str | None, plan: _Plan
) -> list[dict[str, Scores]]:
    """For each metric its scores by aggregation, over some segments. Several systems are scored on the segments all have."""
    results: list[dict[str, Scores]] = []
    # Metrics that left out the same segments share the draws.
    shared: dict[bytes, list[int]] = {}
    kept = [segments[cell.statistics.scored[:, segments].all(axis=0)] for cell in cells]
    for i, index in enumerate(kept):
        shared.setdefault(index.tobytes(), []).append(i)
        results.append({})
    for members in shared.values():
        index = kept[members[0]]
        corpora = [aggregate.Scorable(cells[i].statistics.table, cells[i].metric.score).take(index) for i in members]
        means = [aggregate.mean_of(cells[i].segment_scores).take(index) for i in members]
        replicates = _replicates(corpora, means, len(index), plan)
        for position, i in enumerate(members):
            estimates = _Estimates(cells[i], corpora[position], means[position], index, plan)
            for name in plan.aggregations:
                found = estimates.of(name, replicates[name][position])
                signature = _signature(cells[i].metric, testset, name, plan)
                results[i][name] = Scores(name, signature, dict(zip(testset.systems, found, strict=True)), group)
    return results


def _replicates(
    corpora: list[aggregate.Scorable], means: list[aggregate.Scorable], segments: int, plan: _Plan
) -> dict[str, list[FloatArray]]:
    """Resampled scores (system, resample) of each metric, by aggregation; resamples of one size are drawn once."""

    def draw(scorables: list[aggregate.Scorable], draws: Bootstrap) -> list[FloatArray]:
        weights = draws.blocks(segments, threads=plan.threads) if segments else ()
        return aggregate.resampled_scores(scorables, weights, threads=plan.threads)

    wanted = {"corpus": corpora, "segment": means}
    names = [name for name in wanted if name in plan.aggregations]
    same_size = plan.bootstrap_draws.size in (None, segments)
    if "bootstrap" in plan.aggregations and same_size and "corpus" not in names:
        names.append("corpus")
    drawn = draw([scorable for name in names for scorable in wanted[name]], plan.interval_draws)
    found = {name: drawn[i * len(corpora) : (i + 1) * len(corpora)] for i, name in enumerate(names)}
    if "bootstrap" in plan.aggregations:
        found["bootstrap"] = found["corpus"] if same_size else draw(corpora, plan.bootstrap_draws)
    return found


@dataclasses.dataclass(frozen=True, slots=True)
class _Estimates:
    """Point estimates, intervals, n and reasons of one metric over some segments."""

    cell: _Cell
    corpus: aggregate.Scorable
    mean: aggregate.Scorable
    segments: npt.NDArray[np.intp]
    plan: _Plan

    def of(self, aggregation: str, replicates: FloatArray) -> list[Estimate]:
        systems = len(self.corpus.table)
        if not len(self.segments):
            reason = "no segment was scored" if systems == 1 else "no segment was scored for all systems"
            return [Estimate(math.nan, 0, reason=reason)] * systems
        if aggregation == "segment":
            values, counts = self.mean.values(threads=self.plan.threads), self.mean.table[..., 1].sum(axis=1)
            errors = [_standard_error(row) for row in self.cell.segment_scores[:, self.segments]]
        else:
            values, counts = self.corpus.values(threads=self.plan.threads), np.full(systems, len(self.segments))
            errors = [math.nan] * systems
        return [
            self._estimate(aggregation, float(values[s]), int(counts[s]), errors[s], replicates[s])
            for s in range(systems)
        ]

    def _estimate(self, aggregation: str, value: float, n: int, error: float, replicates: FloatArray) -> Estimate:
        defined = replicates[~np.isnan(replicates)]
        reason = None
        if aggregation == "bootstrap":
            value = float(defined.mean()) if len(defined) else math.nan
        if math.isnan(value):
            reason = self.cell.metric.undefined
        elif len(defined) < len(replicates):
            reason = f"undefined in {len(replicates) - len(defined)} of {len(replicates)} resamples"
        if aggregation != "segment" and len(defined) > 1:
            error = float(defined.std(ddof=1))
        low, high = aggregate.interval(defined, self.plan.confidence) if len(defined) else (math.nan, math.nan)
        return Estimate(value, n, float(low), float(high), error, reason)


def _standard_error(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.std(ddof=1) / math.sqrt(len(defined))) if len(defined) > 1 else math.nan


def _signature(metric: Metric, testset: TestSet, aggregation: str, plan: _Plan | None = None) -> Signature:
    form = metric.segment_form if aggregation == "segment" else metric
    draws = None if plan is None or not plan.interval_draws.resamples else plan.bootstrap_draws
    resampling: list[tuple[str, str]] = []
    if plan is not None and draws is not None:
        resampling.append(("resamples", str(draws.resamples)))
        if aggregation == "bootstrap":
            resampling.append(("size", str(draws.size or "all")))
        resampling += [("seed", str(draws.seed)), ("confidence", option_text(plan.confidence))]
    return Signature(
        metric=form.name,
        parameters=tuple((key, text) for key, value in _options(form) if (text := option_text(value))),
        references=testset.reference_count if testset.references else "0",
        aggregation=aggregation,
        resampling=tuple(resampling),
        resources=tuple(sorted(form.resources.items())),
        version=__version__,
    )


def _options(metric: Metric) -> list[tuple[str, object]]:
    return [(f.name, getattr(metric, f.name)) for f in dataclasses.fields(metric)]  # type: ignore[arg-type]


def _groups(testset: TestSet, groupings: Iterable[str]) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Labels like `domain:news` and the numbers of their segments, in order of first appearance."""
    found: list[tuple[str, npt.NDArray[np.intp]]] = []
    for grouping in groupings:
        labels = _length_labels(testset) if grouping == "length" else getattr(testset, f"{grouping}s")
        if labels is None:
            raise InputError(f"cannot score by {grouping}: the test set has no {grouping}s", hint=f"give --{grouping}s")
        by_label: dict[str, list[int]] = {}
        for i, label in enumerate(labels):
            by_label.setdefault("(none)" if label is None else label, []).append(i)
        names = sorted(by_label, key=lambda n: int(n.partition("-")[0])) if grouping == "length" else by_label
        found += [(f"{grouping}:{name}", np.array(by_label[name])) for name in names]
    return found


def _length_labels(testset: TestSet) -> list[str]:
    """Each segment's bucket, `first-last` characters: quartiles of the length of the first reference (else source, output)."""
    columns = [*testset.references.values(), *([testset.sources] if testset.sources else []), *testset.outputs.values()]
    lengths = [len(next((c[i] for c in columns if c[i] is not None), None) or "") for i in range(len(testset))]
    ordered = sorted(lengths)
    edges = sorted({ordered[len(ordered) * q // LENGTH_BUCKETS] for q in range(LENGTH_BUCKETS)} | {ordered[0]})
    bounds = [(low, high - 1) for low, high in zip(edges, [*edges[1:], ordered[-1] + 1], strict=True)]
    return [next(f"{low}-{high}" for low, high in bounds if low <= length <= high) for length in lengths]


def _gap_notes(cell: _Cell) -> list[str]:
    scored = cell.statistics.scored
    left_out = int((~scored.all(axis=0)).sum())
    if not left_out:
        return []
    return [
        f"{left_out:,} of {scored.shape[1]:,} segments were left out of the scores: "
        "an output or what the metric needs is absent there"
    ]


def _choices(kind: str, given: str | Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    names = [part.strip() for part in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in known:
            raise ConfigError(f"unknown {kind} '{name}'", hint=nearest(name, known))
    return tuple(dict.fromkeys(names))


def _thread_count(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ConfigError(f"threads must be at least 1, not {threads}")
    return threads
