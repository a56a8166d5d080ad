"""Outlier systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.types import FrozenDict
from assay.types.record import Record

__all__ = ["Outliers"]


@dataclass(frozen=True, slots=True)
class Outliers(Record):
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
