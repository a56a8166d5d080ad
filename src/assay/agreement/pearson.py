"""Pearson's product-moment correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch, Statistic, Values, statistic
from assay.agreement.deviations import deviations
from assay.types import FloatArray

__all__ = ["Pearson", "correlation"]


@statistic("pearson")
@dataclass(frozen=True)
class Pearson(Statistic):
    """r = sum((x - mean x)(y - mean y)) / sqrt(sum((x - mean x)^2) sum((y - mean y)^2)) of each group."""

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        values = correlation(batch.metric, batch.human, batch.given)
        return Values(values, batch.sizes.astype(np.float64), "the metric or the human scores do not vary")


def correlation(x: FloatArray, y: FloatArray, given: npt.NDArray[np.bool_]) -> FloatArray:
    """Of each row, over the cells given; NaN where fewer than two items are given or one side is constant."""
    dx, dy = deviations(x, given), deviations(y, given)
    scale = np.sqrt(_dots(dx, dx)) * np.sqrt(_dots(dy, dy))
    found = np.full(len(x), np.nan)
    np.divide(_dots(dx, dy), scale, out=found, where=scale > 0)
    clipped: FloatArray = np.clip(found, -1.0, 1.0)
    return clipped


def _dots(x: FloatArray, y: FloatArray) -> FloatArray:
    """Sums of products over items."""
    products: FloatArray = np.einsum("ig,ig->g", x, y)
    return products
