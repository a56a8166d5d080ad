"""Pearson's r of differences between the items of a group, all groups together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.agreement import Batch, Statistic, Values, statistic
from assay.types import FloatArray

__all__ = ["PairwiseDifferencePearson"]


@statistic("pairwise-difference-pearson", aliases={"pdp": {}})
@dataclass(frozen=True)
class PairwiseDifferencePearson(Statistic):
    """The cosine of (x_i - x_j) and (y_i - y_j) over the pairs of every group; one value for all groups.

    No pair is formed: over the n items of a group, the sum of (x_i - x_j)(y_i - y_j) over unordered pairs is n times
    the sum of (x_i - mean x)(y_i - mean y).
    """

    is_joint = True
    is_pooled = True

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        xx, yy, xy, x_exponent, y_exponent = _core.co_moments(batch.metric, batch.human, batch.given, 1)
        x_unit, y_unit = _common_unit(x_exponent, xx > 0), _common_unit(y_exponent, yy > 0)
        sizes = batch.sizes.astype(np.float64)
        sums = ((sizes * products).sum() for products in (xx * x_unit**2, yy * y_unit**2, xy * x_unit * y_unit))
        squares_x, squares_y, products = (float(each) for each in sums)
        scale = np.sqrt(squares_x) * np.sqrt(squares_y)
        value = np.clip(products / scale, -1.0, 1.0) if scale > 0 else np.nan
        pairs = float((sizes * (sizes - 1) / 2).sum())
        reason = "the metric or the human scores do not vary within any group"
        return Values(np.array([value]), np.array([pairs]), reason)


def _common_unit(exponent: FloatArray, varies: npt.NDArray[np.bool_]) -> FloatArray:
    """What brings deviations in units of 2^exponent into the unit of the group with the largest range."""
    largest = exponent[varies].max(initial=-2000.0)
    unit: FloatArray = np.exp2(np.where(varies, np.maximum(exponent - largest, -1000.0), 0.0))
    return unit
