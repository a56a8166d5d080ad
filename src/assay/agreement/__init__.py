"""Ways to ask whether a metric agrees with people, one file a statistic.

A statistic sees a batch of vectors: `metric` and `human` of shape (group, item), both oriented so that higher is
better, and `given`, the cells that both have. What a group is, is decided above: one vector over systems (system
level), a vector over systems for each segment (by item), one over segments for each system (by system), or all cells.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from assay.registry import Registry
from assay.types import FloatArray

__all__ = ["Batch", "Statistic", "Values", "statistic"]


@dataclass(frozen=True, slots=True)
class Batch:
    """Vectors to be compared: (group, item). Cells that are not `given` hold anything finite and take no part."""

    metric: FloatArray
    human: FloatArray
    given: npt.NDArray[np.bool_]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many items each group has."""
        sizes: npt.NDArray[np.int64] = self.given.sum(axis=1)
        return sizes


@dataclass(frozen=True, slots=True)
class Values:
    """One value a group, NaN where undefined; how much each weighs in a micro average; why some are undefined."""

    values: FloatArray
    weights: FloatArray
    reason: str
    """Why a group may be undefined, in words: "the metric or the human scores do not vary"."""
    details: tuple[tuple[str, str], ...] = ()
    """What else there is to say, like the threshold that a calibration found."""


class Statistic(ABC):
    """Compares vectors. A frozen dataclass: its fields are its options."""

    name: ClassVar[str]
    levels: ClassVar[frozenset[str]] = frozenset({"system", "segment"})
    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    interval: ClassVar[str] = "bootstrap over systems"
    """How an interval is made, or `none: why`."""

    @abstractmethod
    def compute(self, batch: Batch) -> Values:
        """The value of each group."""


statistic: Registry[Statistic] = Registry("statistic", __name__, entry_point_group="assay.statistics")
