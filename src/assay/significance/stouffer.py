"""Stouffer's method (1949): combine independent p-values of the same question, such as those of several domains.

z = sum(z_k) / sqrt(K), where z_k is the normal quantile of the k-th p-value; every part has the same weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.results.outcome import Alternative
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["opposed", "stouffer"]

_SMALLEST = 5e-324  # a p-value is never 0


def stouffer(p_values: FloatArray, alternative: Alternative = "better") -> FloatArray:
    """Combine one-sided p-values (part, system, system) of "the row is better than the column".

    Parts that could not be tested (NaN) do not count. The p-values of the two directions of a test may add up to more
    than 1, because an outcome as high as the observed one counts in both. Half of the excess is taken from the smaller
    one, q = p - max(p + p' - 1, 0) / 2, so that the better system has z(q), the other -z(q), and two equal systems 0.
    Two systems that are equal in every part have p = 1, as in a single test.

    `alternative="two-sided"` combines the two-sided p-values 2 q, as WMT24 does; the result is symmetric. These have
    no sign: parts that favour different systems add up instead of cancelling; see `opposed`.
    """
    from scipy.special import ndtr, ndtri  # slow to import

    opposite = np.swapaxes(p_values, -1, -2)
    half = np.minimum(p_values, opposite) - np.maximum(p_values + opposite - 1.0, 0.0) / 2
    half = np.clip(half, _SMALLEST, 0.5)
    z = -ndtri(half) * np.sign(opposite - p_values) if alternative == "better" else -ndtri(np.minimum(2 * half, 1.0))
    parts = (~np.isnan(half)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        total = np.nansum(z, axis=0) / np.sqrt(parts)
    combined: FloatArray = np.where(parts > 0, np.maximum(ndtr(-total), _SMALLEST), np.nan)
    are_copies = ((np.minimum(p_values, opposite) >= 1.0) | np.isnan(half)).all(axis=0) & (parts > 0)
    combined[are_copies] = 1.0
    return combined


def opposed(means: FloatArray) -> npt.NDArray[np.bool_]:
    """(system, system): the pairs where some parts favour one system and some the other, by (part, system) means."""
    difference = means[:, :, np.newaxis] - means[:, np.newaxis, :]
    return np.asarray((difference > 0).any(axis=0) & (difference < 0).any(axis=0))
