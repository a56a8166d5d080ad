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

from assay.errors import AlignmentError, ConfigError, InputError
from assay.registry import Registry
from assay.types import FloatArray, IntArray

__all__ = ["Batch", "Statistic", "Values", "statistic"]

_PLAIN = (np.float64, np.float64, np.bool_)


@dataclass(frozen=True, slots=True)
class Batch:
    """Vectors to be compared: (group, item). Cells that are not `given` take no part, and are set to 0."""

    metric: FloatArray
    human: FloatArray
    given: npt.NDArray[np.bool_]
    pairs: npt.NDArray[np.bool_] | None = None
    """(item, item), symmetric: which pairs count, for statistics of pairs; None: all of them."""
    copies: IntArray | None = None
    """Of each group of a resample: how many pairs are an item and its own copy, which do not count; None: none are."""

    def __post_init__(self) -> None:
        arrays = (self.metric, self.human, self.given)
        shape = np.shape(self.given)
        if len(shape) != 2 or any(np.shape(array) != shape for array in arrays):
            raise AlignmentError(f"scores of different shapes cannot be compared: {[np.shape(a) for a in arrays]}")
        for name, array, kind in zip(("metric", "human", "given"), arrays, _PLAIN, strict=True):
            object.__setattr__(self, name, np.ascontiguousarray(array, dtype=kind))
        if not self.given.all():
            for name in ("metric", "human"):
                object.__setattr__(self, name, np.where(self.given, getattr(self, name), 0.0))
        if not (np.isfinite(self.metric).all() and np.isfinite(self.human).all()):
            raise InputError("a score that is said to be given is not a finite number")
        if self.copies is not None and np.shape(self.copies) != shape[:1]:
            raise AlignmentError(f"copies must be counted for each of {shape[0]} groups")
        self._check_pairs()

    def _check_pairs(self) -> None:
        if self.pairs is None:
            return
        pairs = np.ascontiguousarray(self.pairs, dtype=np.bool_)
        items = self.given.shape[1]
        if pairs.shape != (items, items) or not np.array_equal(pairs, pairs.T):
            raise AlignmentError(f"pairs must be a symmetric matrix of {items} by {items} items")
        object.__setattr__(self, "pairs", pairs)

    @property
    def sizes(self) -> IntArray:
        """How many items each group has."""
        groups, items = self.given.shape
        sizes: IntArray = np.full(groups, items) if self.given.all() else self.given.sum(axis=1)
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
    hits: IntArray | None = None
    """Where a value is a share of pairs: those that agree, of each group."""
    pairs: IntArray | None = None
    """Where pairs are compared: those that count, of each group, or of all together if there is one value; language
    pairs are pooled by them."""

    def mean(self, *, is_weighted: bool = False) -> float:
        """Of the groups that have a value, each counting the same or by its weight; NaN where none has."""
        defined = ~np.isnan(self.values)
        weights = self.weights[defined] if is_weighted else np.ones(int(defined.sum()))
        return float((self.values[defined] * weights).sum() / weights.sum()) if weights.sum() > 0 else np.nan


class Statistic(ABC):
    """Compares vectors. A frozen dataclass: its fields are its options."""

    name: ClassVar[str]
    levels: ClassVar[frozenset[str]] = frozenset({"system", "segment"})
    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    interval: ClassVar[str] = "bootstrap over systems"
    """How an interval is made, or `none: why`. "copies unpaired": what is drawn twice is no pair with its own copy,
    since that would be a tie that people and metric agree on; the statistic leaves out `Batch.copies` such ties."""
    uses_pairs: ClassVar[bool] = False
    """Whether it compares pairs of items and hence heeds `Batch.pairs`; if not, it refuses a batch that has them."""
    is_joint: ClassVar[bool] = False
    """Whether a group would have another value alone, because something is fitted to all groups together."""
    is_pooled: ClassVar[bool] = False
    """Whether there is a single value for all groups together."""
    reads_segments: ClassVar[bool] = False
    """Whether, though at the system level, it is computed from segment scores: groups are segments, items systems."""

    @abstractmethod
    def compute(self, batch: Batch) -> Values:
        """The value of each group."""

    def refuse_pairs(self, batch: Batch) -> None:
        """For statistics that look at all items at once: a choice of pairs must not be ignored silently."""
        if batch.pairs is not None:
            raise ConfigError(f"'{self.name}' does not compare pairs, so it cannot be restricted to some of them")


statistic: Registry[Statistic] = Registry("statistic", __name__, entry_point_group="assay.statistics")
