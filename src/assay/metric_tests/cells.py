"""The scores of several metrics beside the human scores of the same cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assay.errors import AlignmentError, InputError
from assay.types import FloatArray, IntArray

__all__ = ["MetricCells"]

_ROUNDED = 1e-4  # the share of their range by which human scores may differ beside two metrics


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

    def classes(self) -> Iterator[tuple[list[int], npt.NDArray[np.bool_]]]:
        """Metrics that can be tested together, and the cells they have in common.

        First all that have the same cells, then two such classes at a time, with the human scores of the first. Two
        metrics whose human scores differ are in no class.
        """
        keys = [mask.tobytes() + human.tobytes() for mask, human in zip(self.mask, self.human, strict=True)]
        same = [[i for i, key in enumerate(keys) if key == wanted] for wanted in dict.fromkeys(keys)]
        yield from ((members, self.mask[members[0]]) for members in same if len(members) > 1)
        for first, second in combinations(same, 2):
            mask = self.mask[first[0]] & self.mask[second[0]]
            if _is_same(self.human[first[0]][mask], self.human[second[0]][mask]):
                yield [*first, *second], mask


def _is_same(one: FloatArray, other: FloatArray) -> bool:
    """Whether human scores differ by no more than stored ones are rounded."""
    return np.allclose(one, other, rtol=0, atol=_ROUNDED * float(np.ptp(one)) if len(one) else 0.0)
