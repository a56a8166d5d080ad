"""Average ranks of tied values, and the tail of the normal distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["average_ranks", "tie_term", "upper_tail"]

_SMALLEST = 5e-324  # a p-value is never 0


def average_ranks(values: FloatArray, mask: npt.NDArray[np.bool_] | None = None) -> FloatArray:
    """Ranks from 1 along the last axis; equal values share their mean rank. Values outside the mask have rank 0."""
    sortable = values if mask is None else np.where(mask, values, np.inf)
    order = np.argsort(sortable, axis=-1, kind="stable")
    ordered = np.take_along_axis(sortable, order, axis=-1)
    positions = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*values.shape[:-1], min(values.shape[-1], 1)), dtype=np.bool_)
    begins, ends = np.concatenate([edge, differs], axis=-1), np.concatenate([differs, edge], axis=-1)
    first = np.maximum.accumulate(np.where(begins, positions, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, positions, values.shape[-1])[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks if mask is None else np.where(mask, ranks, 0.0)


def tie_term(ranks: FloatArray) -> float:
    """The sum of t^3 - t over groups of t equal ranks."""
    _, counts = np.unique(ranks, return_counts=True)
    sizes = counts.astype(np.float64)
    return float((sizes**3 - sizes).sum())


def upper_tail(z: float) -> float:
    """P(Z >= z) for a standard normal Z, never 0."""
    from scipy.special import ndtr  # slow to import, and not always needed

    return max(float(ndtr(-z)), _SMALLEST)
