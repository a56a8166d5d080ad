"""Pearson's product-moment correlation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay import _core
from assay.agreement import CORRELATION, Batch, NanGroups, Statistic, SumsOfItems, SwapForm, Values, statistic
from assay.agreement.pair_counts import ratio
from assay.lazily import numpy as np
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Pearson", "correlation"]

_ROUNDING = 1e-13  # of the sum of squares: a variance below it is rounding error


@statistic("pearson")
@dataclass(frozen=True)
class Pearson(Statistic):
    """r = sum((x - mean x)(y - mean y)) / sqrt(sum((x - mean x)^2) sum((y - mean y)^2)) of each group."""

    nan_groups: NanGroups = "skip"

    label = "Pearson"
    agreement = CORRELATION

    @property
    def swap_form(self) -> SwapForm | None:
        return None if self.nan_groups == "zero" else "correlation"  # the quick form leaves out undefined groups

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        values = correlation(batch.metric, batch.human, batch.mask)
        computed = Values(values, batch.sizes.astype(np.float64), "the metric or the human scores are constant")
        return computed.undefined_as_zero(batch.sizes) if self.nan_groups == "zero" else computed

    def sums_of_items(self, batch: Batch) -> SumsOfItems | None:
        if self.nan_groups == "zero":
            return None
        x, y = (_standardised(scores, batch.mask) for scores in (batch.metric, batch.human))
        return SumsOfItems(np.stack([batch.mask, x, y, x * x, y * y, x * y], axis=-1), _correlation_from_sums)


def _standardised(scores: FloatArray, mask: npt.NDArray[np.bool_]) -> FloatArray:
    """Deviations from the mean of each group, at most 1: r is the same, and sums of squares lose no precision."""
    sizes = np.maximum(mask.sum(axis=1, keepdims=True), 1)
    lowest = np.where(mask, scores, np.inf).min(axis=1, initial=np.inf, keepdims=True)
    above = np.where(mask, scores - np.where(np.isinf(lowest), 0.0, lowest), 0.0)
    deviations = np.where(mask, above - above.sum(axis=1, keepdims=True) / sizes, 0.0)
    largest = np.abs(deviations).max(axis=1, initial=0.0, keepdims=True)
    scaled: FloatArray = deviations / np.where(largest > 0, largest, 1.0)
    return scaled


def _correlation_from_sums(sums: FloatArray) -> FloatArray:
    """r from n, sums, sums of squares and the sum of products; NaN where a variance is 0 but for rounding."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    n = np.maximum(n, 1.0)
    of_x, of_y = xx - x * x / n, yy - y * y / n
    is_constant = (of_x <= _ROUNDING * xx) | (of_y <= _ROUNDING * yy)
    denominator = np.where(is_constant, 0.0, np.sqrt(np.maximum(of_x, 0.0)) * np.sqrt(np.maximum(of_y, 0.0)))
    clipped: FloatArray = np.clip(ratio(xy - x * y / n, denominator), -1.0, 1.0)
    return clipped


def correlation(x: FloatArray, y: FloatArray, mask: npt.NDArray[np.bool_]) -> FloatArray:
    """The correlation of each row over the cells in the mask; NaN for fewer than two cells or a constant side."""
    xx, yy, xy, _, _ = _core.co_moments(np.ascontiguousarray(x), np.ascontiguousarray(y), mask, 1)
    clipped: FloatArray = np.clip(ratio(xy, np.sqrt(xx) * np.sqrt(yy)), -1.0, 1.0)
    return clipped
