"""Pearson's r of the differences between items of the same group, over all groups together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay import _core
from assay.agreement import CORRELATION, Batch, Statistic, Values, statistic
from assay.lazily import numpy as np
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["PairwiseDifferencePearson"]


@statistic("pairwise-difference-pearson", aliases={"pdp": {}})
@dataclass(frozen=True)
class PairwiseDifferencePearson(Statistic):
    """The cosine of (x_i - x_j) and (y_i - y_j) over the pairs of every group; one value for all groups.

    Pairs are not enumerated: for a group of n items, the sum of (x_i - x_j)(y_i - y_j) over unordered pairs is n times
    the sum of (x_i - mean x)(y_i - mean y).
    """

    label = "Pearson of differences"
    agreement = CORRELATION
    is_joint = True
    is_pooled = True

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        xx, yy, xy, x_exponent, y_exponent = _core.co_moments(batch.metric, batch.human, batch.mask, 1)
        x_unit, y_unit = _common_unit(x_exponent, xx > 0), _common_unit(y_exponent, yy > 0)
        sizes = batch.sizes.astype(np.float64)
        sums = ((sizes * products).sum() for products in (xx * x_unit**2, yy * y_unit**2, xy * x_unit * y_unit))
        squares_x, squares_y, products = map(float, sums)
        scale = np.sqrt(squares_x) * np.sqrt(squares_y)
        value = np.clip(products / scale, -1.0, 1.0) if scale > 0 else np.nan
        pairs = float((sizes * (sizes - 1) / 2).sum())
        reason = "the metric or the human scores do not vary within any group"
        return Values(np.array([value]), np.array([pairs]), reason)


def _common_unit(exponent: FloatArray, varies: npt.NDArray[np.bool_]) -> FloatArray:
    """The factor that converts deviations in units of 2^exponent to the unit of the group with the largest range."""
    largest = exponent[varies].max(initial=-2000.0)
    unit: FloatArray = np.exp2(np.where(varies, np.maximum(exponent - largest, -1000.0), 0.0))
    return unit
