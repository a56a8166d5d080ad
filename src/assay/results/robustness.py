"""What an agreement rests on: values over parts of the systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.results.meta import EvaluatedPair
from assay.results.scores import SCHEMA_VERSION, Estimate, html_table, none_if_nan
from assay.types import FloatArray, FrozenDict

__all__ = ["QUANTILES", "Casts", "Curve", "Curves", "Point", "Robustness", "SubsampledMetric", "Subsamples"]

QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


@dataclass(frozen=True, slots=True)
class Point:
    """The value over some of the systems."""

    label: str
    systems: tuple[str, ...]
    estimate: Estimate

    @property
    def value(self) -> float:
        """NaN where undefined."""
        return self.estimate.value


@dataclass(frozen=True, slots=True, repr=False)
class Curve:
    """Values over one part of the systems after the other: the best N, windows of neighbours, all but one."""

    kind: str
    metric: str
    human: str
    statistic: str
    whole: Estimate
    """Over all systems."""
    points: tuple[Point, ...]

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Curve({self.kind}: {self.statistic} of {self.metric} with {self.human}, {len(self)} points)"

    def change(self, point: Point) -> float:
        """By how much the value differs from that over all systems; NaN where one is undefined."""
        return point.value - self.whole.value

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for all systems, and one a point; NaN is None."""
        for point in (Point("all", (), self.whole), *self.points):
            yield {
                "kind": self.kind,
                "metric": self.metric,
                "part": point.label,
                "value": none_if_nan(point.value),
                "reason": point.estimate.reason,
                "change": none_if_nan(self.change(point)),
                "n": point.estimate.n,
            }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "kind": self.kind,
            "metric": self.metric,
            "human": self.human,
            "statistic": self.statistic,
            "whole": self.whole.to_dict(),
            "points": [
                {
                    "label": point.label,
                    "systems": list(point.systems),
                    "change": none_if_nan(self.change(point)),
                    **point.estimate.to_dict(),
                }
                for point in self.points
            ],
        }

    def _repr_html_(self) -> str:
        return html_table((self.kind, "value", "n"), [[p.label, p.value, p.estimate.n] for p in self.points])


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Subsamples:
    """Values over random parts of the systems, all of one size and with the same systems always among them."""

    metric: str
    human: str
    statistic: str
    always: tuple[str, ...]
    drawn_from: tuple[str, ...]
    size: int
    values: FloatArray
    """One a draw, NaN where undefined."""
    seed: int
    why_undefined: str = ""
    """What makes a value undefined."""

    @property
    def mean(self) -> float:
        """Over the draws that have a value; NaN if none has."""
        defined = self._defined()
        return float(defined.mean()) if len(defined) else math.nan

    @property
    def deviation(self) -> float:
        """The standard deviation of the draws that have a value; NaN for fewer than two."""
        defined = self._defined()
        return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

    @property
    def undefined(self) -> int:
        """How many draws have no value."""
        return int(np.isnan(self.values).sum())

    @property
    def reason(self) -> str | None:
        """Why something is undefined or rests on fewer draws than there are."""
        if self.undefined:
            return f"undefined in {self.undefined:,} of {len(self.values):,} draws: {self.why_undefined}"
        return "one draw has no deviation" if len(self.values) == 1 else None

    def quantile(self, share: float) -> float:
        """Of the draws that have a value; NaN if none has."""
        defined = self._defined()
        return float(np.quantile(defined, share)) if len(defined) else math.nan

    def summary(self) -> dict[str, Any]:
        """The draws in a few numbers; None for NaN."""
        return {
            "mean": none_if_nan(self.mean),
            "deviation": none_if_nan(self.deviation),
            **{f"q{100 * share:g}": none_if_nan(self.quantile(share)) for share in QUANTILES},
            "draws": len(self.values),
            "undefined": self.undefined,
            "reason": self.reason,
        }

    def _defined(self) -> FloatArray:
        return self.values[~np.isnan(self.values)]

    def __repr__(self) -> str:
        also = f"{', '.join(self.always)} and " if self.always else ""
        others = f"{self.size - len(self.always)} of {len(self.drawn_from)}"
        return f"Subsamples({self.statistic} of {self.metric} over {also}{others}: mean {self.mean:.3f})"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "metric": self.metric,
            "human": self.human,
            "statistic": self.statistic,
            "always": list(self.always),
            "drawn_from": list(self.drawn_from),
            "size": self.size,
            "seed": self.seed,
            **self.summary(),
            "values": [none_if_nan(value) for value in self.values.tolist()],
        }


@dataclass(frozen=True, slots=True)
class SubsampledMetric:
    """A metric over all systems, and over random parts: without outliers, with each of them, with all."""

    metric: str
    whole: Estimate
    casts: tuple[Subsamples, ...]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Robustness:
    """Metrics over parts of the systems of one language pair: the better over all systems, the earlier."""

    kind: str
    settings: Mapping[str, str]
    pair: EvaluatedPair
    order: tuple[str, ...]
    """The systems that people judged, best first."""
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return "|".join(f"{key}:{value}" for key, value in self.settings.items())

    def _tree(self, metrics: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "version": SCHEMA_VERSION,
            "kind": self.kind,
            "settings": dict(self.settings),
            **self.pair.to_dict(),
            "order": list(self.order),
            "metrics": metrics,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Curves(Robustness):
    """A curve for each metric: the best N, windows of neighbours, or all but one."""

    curves: tuple[Curve, ...]

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def __repr__(self) -> str:
        return f"Curves({self.kind} of {self.pair.label}: {len(self)} metrics)"

    @property
    def labels(self) -> tuple[str, ...]:
        """Of all points of all curves, in order: the longest curve's. All but one: the most influential first."""
        if self.kind != "without-one":
            return tuple(point.label for point in max(self.curves, key=len))
        changes: dict[str, list[float]] = {}
        for curve in self.curves:
            for point in curve:
                changes.setdefault(point.label, []).append(abs(curve.change(point)))
        return tuple(sorted(changes, key=lambda label: -_mean_of_defined(changes[label])))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of all curves, each with the metric's place."""
        for place, curve in enumerate(self.curves, 1):
            for row in curve.rows():
                yield {"place": place, **row}

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        trees = [(curve.metric, curve.to_dict()) for curve in self.curves]
        return self._tree([{"metric": name, "whole": tree["whole"], "points": tree["points"]} for name, tree in trees])

    def _repr_html_(self) -> str:
        found = [{point.label: point.value for point in curve} for curve in self.curves]
        rows = [
            [curve.metric, curve.whole.value, *(values.get(label, "") for label in self.labels)]
            for curve, values in zip(self.curves, found, strict=True)
        ]
        return html_table(["metric", "all", *self.labels], rows)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Casts(Robustness):
    """Random parts for each metric, in casts: without outliers, with each of them, with all."""

    metrics: tuple[SubsampledMetric, ...]

    def __iter__(self) -> Iterator[SubsampledMetric]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return f"Casts({self.pair.label}: {len(self)} metrics)"

    def rows(self) -> Iterator[dict[str, Any]]:
        """A flat row for each cast of each metric; NaN is None."""
        for place, row in enumerate(self.metrics, 1):
            for cast in row.casts:
                yield {
                    "place": place,
                    "metric": row.metric,
                    "always": ", ".join(cast.always),
                    "size": cast.size,
                    "drawn_from": len(cast.drawn_from),
                    **cast.summary(),
                    "all": none_if_nan(row.whole.value),
                    "n": row.whole.n,
                }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return self._tree([_metric_tree(row) for row in self.metrics])

    def _repr_html_(self) -> str:
        rows = [[row.metric, row.whole.value, *(cast.mean for cast in row.casts)] for row in self.metrics]
        casts = self.metrics[0].casts if self.metrics else ()
        return html_table(["metric", "all", *(" + ".join(cast.always) or "no outlier" for cast in casts)], rows)


def _mean_of_defined(values: Sequence[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else -math.inf


def _metric_tree(row: SubsampledMetric) -> dict[str, Any]:
    kept = ("always", "drawn_from", "size")
    trees = [cast.to_dict() for cast in row.casts]
    casts = [
        {**{name: tree[name] for name in kept}, **cast.summary(), "values": tree["values"]}
        for cast, tree in zip(row.casts, trees, strict=True)
    ]
    return {"metric": row.metric, "whole": row.whole.to_dict(), "casts": casts}
