"""Scores that differ only by rounding are ties: statistics of ranks must not turn rounding errors into an order.

The option `exact_ties` of these statistics ties equal numbers only, as mt-metrics-eval does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assay.agreement import Batch
from assay.lazily import numpy as np
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["TOLERANCE", "merge_ties", "with_tie_classes"]

TOLERANCE = 1e-10
"""Of scores in one class, relative to the largest absolute score of the group."""


def with_tie_classes(batch: Batch) -> Batch:
    """The batch with equal scores, on either side, within each class of scores that differ only by rounding."""
    metric, human = (merge_ties(side, batch.mask) for side in (batch.metric, batch.human))
    return batch if metric is batch.metric and human is batch.human else replace(batch, metric=metric, human=human)


def merge_ties(values: FloatArray, mask: npt.NDArray[np.bool_]) -> FloatArray:
    """Values (group, item) in which every class has its lowest value; the same array if there is nothing to merge.

    In each group, sorted neighbours at most 1e-10 times the largest absolute value apart are of one class.
    """
    if values.shape[1] < 2:
        return values
    sortable = values if mask.all() else np.where(mask, values, np.inf)
    ordered = np.sort(sortable, axis=1)
    with np.errstate(invalid="ignore"):
        gaps = ordered[:, 1:] - ordered[:, :-1]  # NaN between cells outside the mask: these do not merge
    size = np.abs(values).max(axis=1, initial=0.0, where=mask)
    merges = (gaps > 0) & (gaps <= TOLERANCE * size[:, np.newaxis])
    groups = np.flatnonzero(merges.any(axis=1))
    if not len(groups):
        return values
    merged = values.copy()
    for group in groups:
        order = np.argsort(sortable[group], kind="stable")
        starts = np.concatenate([[True], ~(gaps[group] <= TOLERANCE * size[group])])
        first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
        merged[group, order] = sortable[group, order][first]
    return np.where(mask, merged, values)
