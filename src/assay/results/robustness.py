"""What an agreement rests on: outlier systems, and values over parts of the systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.results.scores import SCHEMA_VERSION, Estimate, html_table, none_if_nan
from assay.types import FloatArray, FrozenDict

__all__ = ["Curve", "Outliers", "Point", "Subsamples"]


@dataclass(frozen=True, slots=True)
class Outliers:
    """Systems that people put far from the others, in multiples of the typical distance from the median."""

    systems: tuple[str, ...]
    distances: Mapping[str, float]
    """|score - median| / (1.4826 MAD) of each system; NaN where it has no score or the MAD is 0."""
    median: float
    mad: float
    """The median absolute deviation, times 1.4826."""
    cutoff: float
    reason: str | None = None
    """Why no system can be an outlier."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "distances", FrozenDict(self.distances))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "systems": list(self.systems),
            "distances": {name: none_if_nan(distance) for name, distance in self.distances.items()},
            "median": none_if_nan(self.median),
            "mad": none_if_nan(self.mad),
            "cutoff": self.cutoff,
            "reason": self.reason,
        }


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

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a point; NaN is None."""
        for point in self.points:
            yield {"kind": self.kind, "metric": self.metric, "label": point.label, **point.estimate.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            "kind": self.kind,
            "metric": self.metric,
            "human": self.human,
            "statistic": self.statistic,
            "whole": self.whole.to_dict(),
            "points": [{"label": p.label, "systems": list(p.systems), **p.estimate.to_dict()} for p in self.points],
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

    @property
    def mean(self) -> float:
        """Over the draws that have a value; NaN if none has."""
        defined = self.values[~np.isnan(self.values)]
        return float(defined.mean()) if len(defined) else float("nan")

    @property
    def undefined(self) -> int:
        """How many draws have no value."""
        return int(np.isnan(self.values).sum())

    def quantile(self, share: float) -> float:
        """Of the draws that have a value; NaN if none has."""
        defined = self.values[~np.isnan(self.values)]
        return float(np.quantile(defined, share)) if len(defined) else float("nan")

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
            "mean": none_if_nan(self.mean),
            "undefined": self.undefined,
            "values": [none_if_nan(value) for value in self.values.tolist()],
        }
