"""How much an agreement depends on the systems: values over subsets of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, Unit, estimate_columns
from assay.results.distribution import Distribution, summary_columns
from assay.results.estimate import Estimate
from assay.results.meta import LanguagePair
from assay.results.result import Listed, Result
from assay.results.ties import shared_ranks
from assay.types import FloatArray
from assay.types.note import plural
from assay.types.record import OMITTED, Record, in_tree

__all__ = [
    "Curve",
    "Point",
    "RobustnessCurves",
    "RobustnessSubsamples",
    "RobustnessTable",
    "SubsampledMetric",
    "Subsamples",
]

_CURVE_COLUMNS = (
    *(ResultColumn(name, read=f"curve.{name}") for name in ("kind", "metric")),
    ResultColumn("subset", help="The systems that the value is over."),
    *estimate_columns("estimate", names=("value", "reason")),
    ResultColumn("change", float, unit=Unit.DIFFERENCE, help="From the value over all systems."),
    *estimate_columns("estimate", names=("n",)),
    ResultColumn("missing", int, help="Judged systems of the subset that the metric did not score."),
    ResultColumn("pairs", int, "point.pairs"),
    ResultColumn("significant_pairs", int, "point.significant_pairs", help="Pairs that people tell apart."),
    ResultColumn(
        "cuts_tie",
        bool,
        "point.cuts_tie",
        help="Whether a system that is left out has the human score of one in the subset.",
    ),
)
_RANK = ResultColumn("rank", int, unit=Unit.ORDINAL)
_SUBSAMPLES_COLUMNS = (
    ResultColumn("metric", read="subsamples.metric"),
    ResultColumn("included", read=lambda record: ", ".join(record["subsamples"].included)),
    ResultColumn("size", int, "subsamples.size"),
    ResultColumn("drawn_from", int, lambda record: len(record["subsamples"].drawn_from)),
    *summary_columns("subsamples", "resample"),
)


_T = TypeVar("_T")


def _named(name: str, values: Mapping[str, _T]) -> _T:
    if name not in values:
        raise UnknownNameError(f"'{name}' is not in the table", hint=nearest(name, values))
    return values[name]


@dataclass(frozen=True, slots=True)
class Point(Record):
    """The value over one subset of the systems."""

    derived: ClassVar[tuple[str, ...]] = ("pairs",)

    label: str
    systems: tuple[str, ...]
    """Those that the metric scored."""
    estimate: Estimate = field(metadata=in_tree(inline=True))
    significant_pairs: int | None = None
    """Number of pairs of these systems whose human scores differ significantly; None: not tested."""
    cuts_tie: bool = False
    """Whether a system inside and one outside have the same human score, so that names decided which is inside."""
    missing: tuple[str, ...] = ()
    """Systems of the subset that the metric did not score: its value is of fewer systems than most."""

    @property
    def pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    @property
    def significant_share(self) -> float:
        """The share of pairs that people tell apart; NaN if not tested."""
        return math.nan if self.significant_pairs is None or not self.pairs else self.significant_pairs / self.pairs

    @property
    def value(self) -> float:
        """NaN if undefined."""
        return self.estimate.value


@dataclass(frozen=True, slots=True, repr=False)
class Curve(Listed[Point], Result):
    """Values over a sequence of subsets: the best N systems, windows of neighbours, or all but one."""

    holds = "points"

    kind: str
    metric: str
    human: str
    statistic: str
    all_systems: Estimate
    """The value over all systems."""
    points: tuple[Point, ...]
    missing: tuple[str, ...] = ()
    """Judged systems that the metric did not score."""

    columns: ClassVar[tuple[ResultColumn, ...]] = _CURVE_COLUMNS

    def __getitem__(self, label: str) -> Point:
        """The point of a subset, e.g. `ranks 1-4`."""
        return _named(label, {point.label: point for point in self.points})

    def __repr__(self) -> str:
        return f"Curve({self.kind}: {self.statistic} of {self.metric} with {self.human}, {plural(len(self), 'point')})"

    def change(self, point: Point) -> float:
        """The difference from the value over all systems; NaN if either is undefined."""
        return point.value - self.all_systems.value

    def records(self) -> Iterator[dict[str, Any]]:
        """One for all systems, then one per point."""
        yield self._record("all", self.all_systems, self.missing)
        for point in self.points:
            yield {**self._record(point.label, point.estimate, point.missing), "point": point}

    def _record(self, subset: str, estimate: Estimate, missing: tuple[str, ...]) -> dict[str, Any]:
        change = estimate.value - self.all_systems.value
        return {"curve": self, "subset": subset, "estimate": estimate, "change": change, "missing": len(missing)}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Subsamples(Distribution, Result):
    """Values over random subsets of the systems, all of one size; some systems are included in every subset."""

    metric: str
    human: str
    statistic: str
    included: tuple[str, ...]
    """Systems in every subset."""
    drawn_from: tuple[str, ...]
    """Systems that the others are drawn from."""
    size: int
    values: FloatArray
    """One per resample, NaN where undefined."""
    seed: int
    why_undefined: str = field(default="", metadata=OMITTED)
    """What makes a value undefined."""

    columns: ClassVar[tuple[ResultColumn, ...]] = _SUBSAMPLES_COLUMNS

    def __repr__(self) -> str:
        also = f"{', '.join(self.included)} and " if self.included else ""
        others = f"{self.size - len(self.included)} of {len(self.drawn_from)}"
        return f"Subsamples({self.statistic} of {self.metric} over {also}{others}: mean {self.mean:.3f})"

    def records(self) -> Iterator[dict[str, Any]]:
        """The subsamples."""
        yield {"subsamples": self}


@dataclass(frozen=True, slots=True)
class SubsampledMetric(Record):
    """A metric over all systems, and over random subsets: without outliers, with each of them, with all."""

    metric: str
    all_systems: Estimate
    subsamples: tuple[Subsamples, ...] = field(metadata=in_tree(without=("metric", "human", "statistic", "seed")))
    missing: tuple[str, ...] = ()
    """Judged systems that the metric did not score, so that its subsets are drawn from fewer systems."""

    def including(self, *systems: str) -> Subsamples:
        """The subsets that include exactly these outliers; none: those without outliers."""
        by_systems = {" and ".join(each.included) or "none": each for each in self.subsamples}
        return _named(" and ".join(systems) or "none", by_systems)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RobustnessTable(Result):
    """Metrics over subsets of the systems of one language pair, ranked by their value over all systems.

    Metrics that lack systems come after the others: their values are not of the same systems.
    """

    made_by: ClassVar[str] = "robustness"

    kind: str
    settings: Mapping[str, str]
    pair: LanguagePair = field(metadata=in_tree(inline=True))
    order: tuple[str, ...]
    """The systems with human scores, best first."""

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return self.settings.get("data", ""), (self.pair.lp,)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RobustnessCurves(Listed[Curve], RobustnessTable):
    """A curve for each metric: the best N systems, windows of neighbours, or all but one."""

    holds = "curves"

    curves: tuple[Curve, ...] = field(metadata=in_tree(without=("kind", "human", "statistic")))

    columns: ClassVar[tuple[ResultColumn, ...]] = (_RANK, *_CURVE_COLUMNS)

    def __getitem__(self, metric: str) -> Curve:
        """The curve of a metric."""
        return _named(metric, {curve.metric: curve for curve in self.curves})

    def __repr__(self) -> str:
        return f"RobustnessCurves({self.kind} of {self.pair.lp}: {plural(len(self), 'metric')})"

    @property
    def widest(self) -> Curve:
        """The first curve of those with most systems."""
        return max(self.curves, key=lambda curve: curve.all_systems.n)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the subsets, in order. For all but one: the most influential system first.

        Influence is averaged over the metrics that lack the fewest systems: with fewer systems, each has more of it.
        """
        if self.kind != "without-one":
            return tuple(point.label for point in self.widest)
        changes: dict[str, list[float]] = {point.label: [] for curve in self.curves for point in curve}
        for curve in (curve for curve in self.curves if len(curve.missing) == len(self.widest.missing)):
            for point in curve:
                changes[point.label].append(abs(curve.change(point)))
        return tuple(sorted(changes, key=lambda label: -_mean_of_defined(changes[label])))

    def records(self) -> Iterator[dict[str, Any]]:
        """The records of all curves, with the rank of the metric."""
        for rank, curve in zip(_ranks(self.curves), self.curves, strict=True):
            yield from ({"rank": rank, **record} for record in curve.records())


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RobustnessSubsamples(Listed[SubsampledMetric], RobustnessTable):
    """Random subsets of the systems for each metric: without outliers, with each of them, with all."""

    holds = "metrics"

    metrics: tuple[SubsampledMetric, ...]

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        _RANK,
        *_SUBSAMPLES_COLUMNS,
        ResultColumn("all_systems", float, "metric.all_systems", help="The value over all systems."),
        ResultColumn("n", int, "metric.all_systems.n"),
        ResultColumn("missing", int, lambda record: len(record["metric"].missing)),
    )

    def __getitem__(self, metric: str) -> SubsampledMetric:
        """The subsets of a metric."""
        return _named(metric, {each.metric: each for each in self.metrics})

    def __repr__(self) -> str:
        return f"RobustnessSubsamples({self.pair.lp}: {plural(len(self), 'metric')})"

    def records(self) -> Iterator[dict[str, Any]]:
        """One for each metric and set of included systems."""
        for rank, metric in zip(_ranks(self.metrics), self.metrics, strict=True):
            yield from ({"rank": rank, "metric": metric, "subsamples": each} for each in metric.subsamples)


def _ranks(metrics: Sequence[Curve] | Sequence[SubsampledMetric]) -> list[int]:
    """Places by the value over all systems; metrics that lack systems are tied with no others."""
    return shared_ranks([metric.all_systems.value for metric in metrics], [bool(metric.missing) for metric in metrics])


def _mean_of_defined(values: Sequence[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else -math.inf
