"""Pearson's product-moment correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch, Statistic, Values, statistic
from assay.types import FloatArray

__all__ = ["Pearson", "correlation"]


@statistic("pearson")
@dataclass(frozen=True)
class Pearson(Statistic):
    """r = sum((x - mean x)(y - mean y)) / sqrt(sum((x - mean x)^2) sum((y - mean y)^2)) of each group."""

    def compute(self, batch: Batch) -> Values:
        values = correlation(batch.metric, batch.human, batch.given.astype(np.float64))
        return Values(values, batch.sizes.astype(np.float64), "the metric or the human scores do not vary")


def correlation(x: FloatArray, y: FloatArray, weight: FloatArray) -> FloatArray:
    """Of each row, over the cells of weight 1; NaN where fewer than two items are given or one side is constant."""
    count = weight.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        dx = (x - (x * weight).sum(axis=1, keepdims=True) / count) * weight
        dy = (y - (y * weight).sum(axis=1, keepdims=True) / count) * weight
        scale = np.sqrt((dx * dx).sum(axis=1) * (dy * dy).sum(axis=1))
        found: FloatArray = np.clip((dx * dy).sum(axis=1) / scale, -1.0, 1.0)
    constant = _is_constant(x, weight) | _is_constant(y, weight)
    return np.where(constant | (count[:, 0] < 2), np.nan, found)


def _is_constant(x: FloatArray, weight: FloatArray) -> npt.NDArray[np.bool_]:
    """By comparison, not by variance: rounding must not make a constant vector vary."""
    high = np.where(weight > 0, x, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(weight > 0, x, np.inf).min(axis=1, initial=np.inf)
    constant: npt.NDArray[np.bool_] = ~(high > low)
    return constant
