"""The scores of several metrics beside the human scores of the same cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from assay.errors import AlignmentError, InputError
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ComparableMetrics", "MetricCells", "are_equal_up_to"]

_ROUNDED = 1e-4  # the share of their range by which human scores may differ beside two metrics


@dataclass(frozen=True, slots=True, eq=False)
class ComparableMetrics:
    """Metrics that can be tested together, and the pairs of them to be tested."""

    members: tuple[int, ...]
    """Their indices among all metrics."""
    mask: npt.NDArray[np.bool_]
    """(system, segment): the cells they have in common."""
    first: IntArray
    """The first metric of each pair, as an index among the members."""
    second: IntArray
    """The second one, which comes after the first."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricCells:
    """The scores of several metrics beside the human scores of the same cells, all oriented so that higher is better.

    System scores have a single column. For rankings, a column is a ranking and a row is a position in it.
    """

    names: tuple[str, ...]
    metrics: FloatArray
    """(metric, system, segment)."""
    human: FloatArray
    """(system, segment), or (metric, system, segment) if a metric has its own, such as means over its segments."""
    mask: npt.NDArray[np.bool_]
    """(metric, system, segment): the cells that the metric and the human scores have."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system): the pairs of systems that count; None: all."""
    segment: IntArray | None = None
    """The segment of each column; None: every column is a segment of its own."""

    def __post_init__(self) -> None:
        mask = np.ascontiguousarray(self.mask, dtype=np.bool_)
        metrics, human = (np.asarray(scores, dtype=np.float64) for scores in (self.metrics, self.human))
        if metrics.ndim != 3 or mask.shape != metrics.shape or len(self.names) != len(metrics):
            raise AlignmentError("metrics and mask must have shape (metric, system, segment), one name per metric")
        if human.shape not in (metrics.shape, metrics.shape[1:]):
            raise AlignmentError(f"human scores of shape {human.shape} do not fit metrics of shape {metrics.shape}")
        human = np.broadcast_to(human, metrics.shape)
        for kind, scores in (("metric", metrics), ("human", human)):
            if not np.isfinite(scores[mask]).all():
                raise InputError(f"the {kind} scores must be finite inside the mask")
        object.__setattr__(self, "mask", mask)
        object.__setattr__(self, "metrics", np.where(mask, metrics, 0.0))
        object.__setattr__(self, "human", np.where(mask, human, 0.0))

    def alone(self, metric: int) -> ComparableMetrics:
        """One metric on its own cells, without any pair."""
        none = np.zeros(0, dtype=np.int64)
        return ComparableMetrics((metric,), self.mask[metric], none, none)

    def comparable(self) -> Iterator[ComparableMetrics]:
        """Every pair of metrics once, on the cells that both have.

        First the pairs of metrics that have the same cells, then those between two such classes, with the human scores
        of the first. A pair whose human scores differ is in none.
        """
        keys = [mask.tobytes() + human.tobytes() for mask, human in zip(self.mask, self.human, strict=True)]
        same = [[i for i, key in enumerate(keys) if key == wanted] for wanted in dict.fromkeys(keys)]
        for members in same:
            if len(members) > 1:
                yield ComparableMetrics(tuple(members), self.mask[members[0]], *np.triu_indices(len(members), 1))
        for first, second in combinations(same, 2):
            mask = self.mask[first[0]] & self.mask[second[0]]
            if are_equal_up_to(_ROUNDED, self.human[first[0]][mask], self.human[second[0]][mask]):
                rows, columns = np.indices((len(first), len(second))).reshape(2, -1)
                yield ComparableMetrics((*first, *second), mask, rows, columns + len(first))


def are_equal_up_to(share: float, one: FloatArray, other: FloatArray) -> bool:
    """Whether scores differ by no more than this share of the range of the first ones, as rounded scores do."""
    return np.allclose(one, other, rtol=0, atol=share * float(np.ptp(one)) if len(one) else 0.0)
