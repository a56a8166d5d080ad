"""Pearson's r of differences between the items of a group, all groups together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.agreement import Batch, Statistic, Values, statistic
from assay.agreement.deviations import deviations

__all__ = ["PairwiseDifferencePearson"]


@statistic("pairwise-difference-pearson", aliases={"pdp": {}})
@dataclass(frozen=True)
class PairwiseDifferencePearson(Statistic):
    """The cosine of (x_i - x_j) and (y_i - y_j) over the pairs of every group; one value for all groups.

    No pair is formed: over the n items of a group, the sum of (x_i - x_j)(y_i - y_j) over unordered pairs is n times
    the sum of (x_i - mean x)(y_i - mean y).
    """

    is_pooled = True

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        dx = deviations(batch.metric, batch.given, together=True)
        dy = deviations(batch.human, batch.given, together=True)
        sizes = batch.sizes.astype(np.float64)
        xx, yy, xy = (float(((a * b).sum(axis=0) * sizes).sum()) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
        scale = np.sqrt(xx) * np.sqrt(yy)
        value = np.clip(xy / scale, -1.0, 1.0) if scale > 0 else np.nan
        pairs = float((sizes * (sizes - 1) / 2).sum())
        reason = "the metric or the human scores do not vary within any group"
        return Values(np.array([value]), np.array([pairs]), reason)
