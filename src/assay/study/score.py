"""`assay.score`: score a test set with metrics, giving a `Run`."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, Unpack

from assay import _core, aggregate
from assay.aggregate.resample import (
    CHUNK,
    CONFIDENCE,
    RESAMPLES,
    SEED,
    Bootstrap,
    Confidence,
    Seed,
    Totals,
    resamples_option,
)
from assay.contracts import Metric
from assay.errors import ConfigError, nearest, option_name
from assay.lazily import numpy as np
from assay.measurement import (
    AGGREGATIONS,
    KEPT_CELLS,
    Measured,
    Metrics,
    check_finite,
    measure,
    naming_metric,
    undefined_note,
)
from assay.measurement.marked_errors import predicted_spans
from assay.measurement.segment_groups import GROUPINGS, Group, groups_of
from assay.metrics.core_metric import is_core
from assay.metrics.external import ExternalScores
from assay.options.checks import check_share
from assay.options.option import METRICS, Option
from assay.options.shared import RUNTIME, TESTSET, Size
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import Estimate, MetricScores, Run, Scores
from assay.results.result import with_undefined_note
from assay.types import BLOCK, LazyDict, Mask, Note, Rows, TestSet, mean_of_defined, row_count
from assay.types.runtime import Runtime, RuntimeFields

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["AGGREGATIONS", "DEFAULT_AGGREGATIONS", "DEFAULT_METRICS", "score"]

DEFAULT_AGGREGATIONS = ("corpus", "segment")
DEFAULT_METRICS = ("bleu", "chrf")

_NOTHING = "no segment was scored"
_PART_CELLS = 1 << 20  # of the largest table that is computed at once

Segments: TypeAlias = "npt.NDArray[np.intp]"


@verb
def score(
    testset: Annotated[TestSet, TESTSET],
    metrics: Metrics = DEFAULT_METRICS,
    *,
    agg: Annotated[
        str | Iterable[str],
        Option(
            "How to aggregate scores: corpus, segment or bootstrap.",
            group=METRICS,
            noun="aggregation",
            choices=AGGREGATIONS,
            metavar="NAME",
        ),
    ] = DEFAULT_AGGREGATIONS,
    by: Annotated[
        str | Iterable[str],
        Option(
            "Also score by document, domain or length.",
            group=METRICS,
            noun="grouping",
            choices=GROUPINGS,
            metavar="GROUPING",
        ),
    ] = (),
    resamples: Annotated[int, resamples_option("Number of bootstrap resamples; 0 for no intervals.")] = RESAMPLES,
    size: Size = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Run:
    """Score system outputs against references.

    Every system gets a score by every metric under every aggregation, with percentile intervals of the bootstrap.

    Notes
    -----
    A metric is a spec like `bleu:tok=intl`, a metric object, or a table of segment scores computed by another program.
    """
    bootstrap = Bootstrap(resamples, size, seed)
    plan = _Plan(
        aggregations=tuple(dict.fromkeys(agg)),
        bootstrap=bootstrap,
        confidence=confidence,
        runtime=runtime or Runtime(),
    )
    if size is not None and "bootstrap" not in plan.aggregations:
        message = f"{option_name('size')} has no effect without the bootstrap aggregation"
        raise ConfigError(message, hint=f"add it: {option_name('agg', 'bootstrap')}")
    groups = groups_of(testset, tuple(dict.fromkeys(by)))
    measurements = measure(
        testset, metrics, plan.runtime, kept_cells=None if groups else KEPT_CELLS, has_short_names=True
    )
    results = list(_aggregate(list(measurements.metrics.values()), groups, plan))
    notes = dict.fromkeys([*measurements.notes, *_undefined_notes(measurements.metrics.values(), results)])
    scores = dict(zip(measurements.metrics, results, strict=True))
    predictions = tuple(predicted_spans(measurements, plan.runtime))
    run = Run(measurements.testset, scores, measurements.specs, predictions=predictions, notes=tuple(notes))
    return with_undefined_note(run)


def _undefined_notes(metrics: Iterable[Measured], results: Iterable[MetricScores]) -> Iterator[Note]:
    """Notes on undefined segment scores, which are not in the n of their mean."""
    for measured, scores in zip(metrics, results, strict=True):
        means = scores.aggregations.get("segment")
        if means is not None and not is_core(measured.metric):
            yield from undefined_note(measured, sum(estimate.n for estimate in means.estimates.values()))


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
            hint = f"e.g. {option_name('resamples', 1000)}"
            raise ConfigError("the bootstrap aggregation needs at least one resample", hint=hint)


def _aggregate(metrics: Sequence[Measured], groups: Iterable[Group], plan: _Plan) -> Iterator[MetricScores]:
    """Turn statistics into scores, for all segments and for each group of them. All metrics share the resamples."""
    aggregations: list[dict[str, Scores]] = [{} for _ in metrics]
    group_scores: list[list[Scores]] = [[] for _ in metrics]
    for label, segments in ((None, None), *((group.name, group.segments) for group in groups)):
        summed = _sums(metrics, segments, plan)
        for i, measured in enumerate(metrics):
            for name in plan.aggregations:
                scores = _scores(measured, name, summed[i][name], label, plan)
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
            segment_signature=measured.signature("none"),
            default_aggregation=measured.metric.default_aggregation,
            higher_is_better=measured.metric.higher_is_better,
            groups=tuple(group_scores[i]),
            sacrebleu_signature=measured.metric.sacrebleu_signature(measured.references),
            nondefault_options=measured.nondefault_options,
            tolerance=measured.metric.tolerance,
            undefined=measured.metric.undefined,
            unscored=_unscored_reason(measured.metric),
        )


def _unscored_reason(metric: Metric) -> str:
    """Why a segment is not scored: only the metric knows whether a text is missing, or a value is not defined."""
    if isinstance(metric, ExternalScores):
        return metric.undefined
    missing = "a text is missing"
    return missing if type(metric).defined is Metric.defined else f"{missing}, or {metric.undefined}"


@dataclasses.dataclass(frozen=True, slots=True)
class _Summed:
    """The sums of a table over some segments."""

    segments: int
    score: Callable[[Rows], Rows]
    totals: Rows | None
    replicates: Rows | None
    spreads: list[tuple[int, float]]
    """How many segment scores each system has, and their standard deviation; empty unless the table is one of them."""


class _Added(NamedTuple):
    """A table that is added up."""

    place: int
    """Among the tables of its adder."""
    spreads: _core.Spreads
    """Of segment scores."""


@dataclasses.dataclass(slots=True)
class _Adder:
    """Adds up the tables of metrics with the same segments, for resamples of one size."""

    size: int | None
    """Of a resample; None: as large as the test set."""
    is_used: Mask | None
    """By segment; None: all are."""
    segments: int
    totals: Totals | None
    tables: dict[tuple[int, bool], _Added] = dataclasses.field(default_factory=dict)
    """By metric, and by whether they are its segment scores."""

    def include(self, i: int, is_mean: bool, systems: int) -> None:
        """Add up a table of this metric, too."""
        self.tables.setdefault((i, is_mean), _Added(len(self.tables), _core.Spreads(systems)))

    def add(self, metrics: Sequence[Measured], part: slice | Segments | None) -> None:
        """The rows of the segments that are used."""
        used = None if self.is_used is None else self.is_used if part is None else self.is_used[part]
        rows = [
            self._rows(metrics[i], is_mean, part, used, table.spreads) for (i, is_mean), table in self.tables.items()
        ]
        if self.totals is not None and row_count(rows[0]):
            self.totals.add(rows)

    @staticmethod
    def _rows(
        measured: Measured, is_mean: bool, part: slice | Segments | None, used: Mask | None, spreads: _core.Spreads
    ) -> Rows:
        with naming_metric(measured.spec, measured.metric):
            rows = measured.segment_values(part) if is_mean else measured.rows(part)
        if used is not None and not used.all():
            rows = np.ascontiguousarray(np.asarray(rows)[:, used])
        if is_mean:
            spreads.add(rows)
            rows = _core.mean_table(rows)
        return rows

    def summed(self, i: int, is_mean: bool, measured: Measured) -> _Summed:
        """What was added up of a table."""
        place, table_spreads = self.tables[i, is_mean]
        score = _core.ratios if is_mean else measured.score
        spreads = table_spreads.values if is_mean else []
        if self.totals is None:
            return _Summed(0, score, None, None, spreads)
        return _Summed(self.segments, score, self.totals.sums[place], self.totals.replicates[place], spreads)


def _sums(metrics: Sequence[Measured], segments: Segments | None, plan: _Plan) -> list[dict[str, _Summed]]:
    """The sums of each metric by aggregation, over those of the segments that are scored for all systems.

    Intervals need resamples as large as the test set; the bootstrap aggregation has a size of its own. Everything with
    the same segments and the same size is resampled at once. All segments (None) come part by part.
    """
    adders: list[_Adder] = []
    adder_of: dict[tuple[int, str], _Adder] = {}
    for i, measured in enumerate(metrics):
        for name in plan.aggregations:
            size = plan.bootstrap.size if name == "bootstrap" else None
            is_used = _used(measured, segments)
            adder = next((each for each in adders if each.size == size and _are_equal(each.is_used, is_used)), None)
            if adder is None:
                adder = _adder(measured, is_used, size, plan)
                adders.append(adder)
            adder.include(i, name == "segment", len(measured.statistics.systems))
            adder_of[i, name] = adder
    for part in _parts(metrics, segments, plan):
        for adder in adders:
            adder.add(metrics, part)
    return [
        {name: adder_of[i, name].summed(i, name == "segment", measured) for name in plan.aggregations}
        for i, measured in enumerate(metrics)
    ]


def _adder(measured: Measured, is_used: Mask | None, size: int | None, plan: _Plan) -> _Adder:
    """A new adder, for the segments of a metric and for a size of resamples."""
    used = measured.segments if is_used is None else int(np.count_nonzero(is_used))
    bootstrap = dataclasses.replace(plan.bootstrap, size=size)
    return _Adder(size, is_used, used, Totals(used, bootstrap, plan.runtime) if used else None)


def _used(measured: Measured, segments: Segments | None) -> Mask | None:
    """Those of the segments (None: of all) that are scored for all systems, as a mask; None: all are."""
    if segments is None:
        return None if measured.is_complete or measured.is_common.all() else measured.is_common
    is_used = np.zeros(measured.segments, dtype=np.bool_)
    is_used[measured.common(segments)] = True
    return is_used


def _are_equal(one: Mask | None, other: Mask | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _parts(metrics: Sequence[Measured], segments: Segments | None, plan: _Plan) -> Iterable[slice | Segments | None]:
    """The segments in parts, or all at once if all tables are in memory. Progress is reported."""
    if segments is not None:
        return [segments]
    if all(measured.texts is None for measured in metrics):
        return [None]
    count = metrics[0].segments
    cells = max(len(measured.statistics.systems) * len(measured.statistics.columns) for measured in metrics)
    block = max(min(BLOCK, _PART_CELLS // cells), CHUNK) // CHUNK * CHUNK
    parts = [slice(first, min(first + block, count)) for first in range(0, count, block)]
    return plan.runtime.track(parts, lambda _: "scoring")


def _scores(measured: Measured, aggregation: str, summed: _Summed, group: str | None, plan: _Plan) -> Scores:
    systems = measured.statistics.systems
    with naming_metric(measured.spec, measured.metric):
        estimates = _estimates(aggregation, summed, systems, measured.metric, plan)
    if not (measured.is_complete or measured.has_scores.all()):
        nothing = Estimate(math.nan, 0, reason=_NOTHING)
        estimates = [one if has else nothing for one, has in zip(estimates, measured.has_scores, strict=True)]
    signature = measured.signature(aggregation, _resampling(aggregation, plan))
    return Scores(aggregation, signature, dict(zip(systems, estimates, strict=True)), group)


def _estimates(
    aggregation: str, summed: _Summed, systems: Sequence[str], metric: Metric, plan: _Plan
) -> list[Estimate]:
    if summed.totals is None or summed.replicates is None:
        reason = _NOTHING if len(systems) == 1 else f"{_NOTHING} for all systems"
        return [Estimate(math.nan, 0, reason=reason)] * len(systems)
    replicates = summed.score(summed.replicates)
    if not is_core(metric):
        check_finite(np.asarray(replicates))
    if aggregation == "bootstrap":
        values = mean_of_defined(np.asarray(replicates), axis=1).tolist()
    else:
        totals: Any = summed.score(summed.totals)
        values = [value for (value,) in totals.tolist()]
    check_finite(values)
    reasons = [metric.undefined if math.isnan(value) else None for value in values]
    confidence = plan.confidence
    estimates = aggregate.estimates_from_replicates(values, replicates, summed.segments, confidence, reasons=reasons)
    if aggregation == "segment":
        estimates = list(map(_with_spread, estimates, summed.spreads))
    elif metric.no_interval:
        estimates = [_without_interval(each, metric.no_interval) for each in estimates]
    estimates = [_without_interval(each, each.reason) if math.isnan(each.value) else each for each in estimates]
    return [aggregate.unless_single(estimate, "segment") for estimate in estimates]


def _without_interval(estimate: Estimate, reason: str | None) -> Estimate:
    """The estimate with a reason why it has no interval; an undefined value keeps its own."""
    reason = estimate.reason if math.isnan(estimate.value) else reason
    return dataclasses.replace(estimate, low=math.nan, high=math.nan, standard_error=math.nan, reason=reason)


def _with_spread(estimate: Estimate, spread: tuple[int, float]) -> Estimate:
    """The estimate of a mean of segment scores, with their standard deviation s and the standard error s / sqrt(n)."""
    n, deviation = spread
    error = deviation / math.sqrt(n) if n else math.nan
    return dataclasses.replace(estimate, n=n, standard_error=error, standard_deviation=deviation)


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
