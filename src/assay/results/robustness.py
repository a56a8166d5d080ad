"""How much an agreement depends on the systems: values over subsets of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from assay.errors import UnknownNameError, nearest
from assay.results.distribution import SUMMARY_COLUMNS, Distribution
from assay.results.estimate import Estimate, none_if_nan
from assay.results.meta import LanguagePair
from assay.results.result import Result, settings_line
from assay.results.shared_ranks import shared_ranks
from assay.types import FloatArray, FrozenDict

__all__ = [
    "Curve",
    "Point",
    "RobustnessCurves",
    "RobustnessSubsamples",
    "RobustnessTable",
    "SubsampledMetric",
    "Subsamples",
]

_CURVE_COLUMNS: Mapping[str, type] = {
    "kind": str,
    "metric": str,
    "subset": str,
    "value": float,
    "reason": str,
    "change": float,
    "n": int,
    "missing": int,
    "pairs": int,
    "significant_pairs": int,
    "cuts_tie": bool,
}
_SUBSAMPLES_COLUMNS: Mapping[str, type] = {"metric": str, "included": str, "size": int, "drawn_from": int}


_T = TypeVar("_T")


def _named(name: str, values: Mapping[str, _T]) -> _T:
    if name not in values:
        raise UnknownNameError(f"'{name}' is not in the table", hint=nearest(name, values))
    return values[name]


@dataclass(frozen=True, slots=True)
class Point:
    """The value over one subset of the systems."""

    label: str
    systems: tuple[str, ...]
    """Those that the metric scored."""
    estimate: Estimate
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
class Curve(Result):
    """Values over a sequence of subsets: the best N systems, windows of neighbours, or all but one."""

    kind: str
    metric: str
    human: str
    statistic: str
    all_systems: Estimate
    """The value over all systems."""
    points: tuple[Point, ...]
    missing: tuple[str, ...] = ()
    """Judged systems that the metric did not score."""

    columns: ClassVar[Mapping[str, type]] = _CURVE_COLUMNS

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, label: str) -> Point:
        """The point of a subset, e.g. `ranks 1-4`."""
        return _named(label, {point.label: point for point in self.points})

    def __repr__(self) -> str:
        return f"Curve({self.kind}: {self.statistic} of {self.metric} with {self.human}, {len(self)} points)"

    def change(self, point: Point) -> float:
        """The difference from the value over all systems; NaN if either is undefined."""
        return point.value - self.all_systems.value

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for all systems, then one per point."""
        yield self._row_of("all", self.all_systems, self.missing)
        for point in self.points:
            yield self._row_of(point.label, point.estimate, point.missing) | {
                "pairs": point.pairs,
                "significant_pairs": point.significant_pairs,
                "cuts_tie": point.cuts_tie,
            }

    def _row_of(self, label: str, estimate: Estimate, missing: tuple[str, ...]) -> dict[str, Any]:
        return self._row(
            {
                "kind": self.kind,
                "metric": self.metric,
                "subset": label,
                "value": none_if_nan(estimate.value),
                "reason": estimate.reason,
                "change": none_if_nan(estimate.value - self.all_systems.value),
                "n": estimate.n,
                "missing": len(missing),
            }
        )

    def tree(self) -> dict[str, Any]:
        """The value over all systems and the points."""
        return {
            "kind": self.kind,
            "metric": self.metric,
            "human": self.human,
            "statistic": self.statistic,
            "all_systems": self.all_systems.to_dict(),
            "missing": list(self.missing),
            "points": [
                {
                    "label": point.label,
                    "systems": list(point.systems),
                    "missing": list(point.missing),
                    "change": none_if_nan(self.change(point)),
                    "pairs": point.pairs,
                    "significant_pairs": point.significant_pairs,
                    "cuts_tie": point.cuts_tie,
                    **point.estimate.to_dict(),
                }
                for point in self.points
            ],
        }


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
    why_undefined: str = ""
    """What makes a value undefined."""

    columns: ClassVar[Mapping[str, type]] = {**_SUBSAMPLES_COLUMNS, **SUMMARY_COLUMNS}

    def __repr__(self) -> str:
        also = f"{', '.join(self.included)} and " if self.included else ""
        others = f"{self.size - len(self.included)} of {len(self.drawn_from)}"
        return f"Subsamples({self.statistic} of {self.metric} over {also}{others}: mean {self.mean:.3f})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row."""
        yield {
            "metric": self.metric,
            "included": ", ".join(self.included),
            "size": self.size,
            "drawn_from": len(self.drawn_from),
            **self.summary(),
        }

    def tree(self) -> dict[str, Any]:
        """The systems, the summary, and the value of every resample."""
        return {
            "metric": self.metric,
            "human": self.human,
            "statistic": self.statistic,
            "included": list(self.included),
            "drawn_from": list(self.drawn_from),
            "size": self.size,
            "seed": self.seed,
            **self.summary(),
            "values": [none_if_nan(value) for value in self.values.tolist()],
        }


@dataclass(frozen=True, slots=True)
class SubsampledMetric:
    """A metric over all systems, and over random subsets: without outliers, with each of them, with all."""

    metric: str
    all_systems: Estimate
    subsamples: tuple[Subsamples, ...]
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

    kind: str
    settings: Mapping[str, str]
    pair: LanguagePair
    order: tuple[str, ...]
    """The systems with human scores, best first."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def tree(self) -> dict[str, Any]:
        """The settings, the language pair and its systems."""
        return {
            "kind": self.kind,
            "settings": dict(self.settings),
            **self.pair.to_dict(),
            "order": list(self.order),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RobustnessCurves(RobustnessTable):
    """A curve for each metric: the best N systems, windows of neighbours, or all but one."""

    curves: tuple[Curve, ...]

    columns: ClassVar[Mapping[str, type]] = {"rank": int, **_CURVE_COLUMNS}

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def __getitem__(self, metric: str) -> Curve:
        """The curve of a metric."""
        return _named(metric, {curve.metric: curve for curve in self.curves})

    def __repr__(self) -> str:
        return f"RobustnessCurves({self.kind} of {self.pair.lp}: {len(self)} metrics)"

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

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of all curves, with the rank of the metric."""
        ranks = _ranks(self.curves)
        for rank, curve in zip(ranks, self.curves, strict=True):
            for row in curve.rows():
                yield {"rank": rank, **row}

    def tree(self) -> dict[str, Any]:
        """The language pair, and the metrics with their points."""
        kept = ("metric", "all_systems", "missing", "points")
        trees = (curve.tree() for curve in self.curves)
        return RobustnessTable.tree(self) | {"metrics": [{name: tree[name] for name in kept} for tree in trees]}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RobustnessSubsamples(RobustnessTable):
    """Random subsets of the systems for each metric: without outliers, with each of them, with all."""

    metrics: tuple[SubsampledMetric, ...]

    columns: ClassVar[Mapping[str, type]] = {
        "rank": int,
        **_SUBSAMPLES_COLUMNS,
        **SUMMARY_COLUMNS,
        "all_systems": float,
        "n": int,
        "missing": int,
    }

    def __iter__(self) -> Iterator[SubsampledMetric]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __getitem__(self, metric: str) -> SubsampledMetric:
        """The subsets of a metric."""
        return _named(metric, {each.metric: each for each in self.metrics})

    def __repr__(self) -> str:
        return f"RobustnessSubsamples({self.pair.lp}: {len(self)} metrics)"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each metric and set of included systems."""
        ranks = _ranks(self.metrics)
        for rank, metric in zip(ranks, self.metrics, strict=True):
            over_all = {
                "all_systems": none_if_nan(metric.all_systems.value),
                "n": metric.all_systems.n,
                "missing": len(metric.missing),
            }
            for subsamples in metric.subsamples:
                for row in subsamples.rows():
                    yield {"rank": rank, **row, **over_all}

    def tree(self) -> dict[str, Any]:
        """The language pair, and the metrics with their subsamples."""
        return RobustnessTable.tree(self) | {"metrics": [_metric_tree(metric) for metric in self.metrics]}


def _ranks(metrics: Sequence[Curve] | Sequence[SubsampledMetric]) -> list[int]:
    """Places by the value over all systems; metrics that lack systems are tied with no others."""
    return shared_ranks([metric.all_systems.value for metric in metrics], [bool(metric.missing) for metric in metrics])


def _mean_of_defined(values: Sequence[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else -math.inf


def _metric_tree(metric: SubsampledMetric) -> dict[str, Any]:
    common = ("metric", "human", "statistic", "seed")  # the same for all: in the settings
    trees = [subsamples.tree() for subsamples in metric.subsamples]
    return {
        "metric": metric.metric,
        "all_systems": metric.all_systems.to_dict(),
        "missing": list(metric.missing),
        "subsamples": [{name: value for name, value in tree.items() if name not in common} for tree in trees],
    }
