"""Pearson's product-moment correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.agreement import Batch, Statistic, Values, statistic
from assay.agreement.pair_counts import ratio
from assay.types import FloatArray

__all__ = ["Pearson", "correlation"]


@statistic("pearson")
@dataclass(frozen=True)
class Pearson(Statistic):
    """r = sum((x - mean x)(y - mean y)) / sqrt(sum((x - mean x)^2) sum((y - mean y)^2)) of each group."""

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        values = correlation(batch.metric, batch.human, batch.mask)
        return Values(values, batch.sizes.astype(np.float64), "the metric or the human scores are constant")


def correlation(x: FloatArray, y: FloatArray, mask: npt.NDArray[np.bool_]) -> FloatArray:
    """The correlation of each row over the cells in the mask; NaN for fewer than two cells or a constant side."""
    xx, yy, xy, _, _ = _core.co_moments(np.ascontiguousarray(x), np.ascontiguousarray(y), mask, 1)
    clipped: FloatArray = np.clip(ratio(xy, np.sqrt(xx) * np.sqrt(yy)), -1.0, 1.0)
    return clipped
