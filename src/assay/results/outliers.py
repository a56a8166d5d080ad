"""Outlier systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.results.estimate import none_if_nan
from assay.types import FrozenDict

__all__ = ["Outliers"]


@dataclass(frozen=True, slots=True)
class Outliers:
    """Systems with human scores far from the others, measured in scaled median absolute deviations."""

    systems: tuple[str, ...]
    distances: Mapping[str, float]
    """|score - median| / (1.4826 MAD) of each system; NaN if it has no score or the MAD is 0."""
    median: float
    mad: float
    """The median absolute deviation times 1.4826."""
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
