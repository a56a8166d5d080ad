"""Spearman's rank correlation."""

from __future__ import annotations

from dataclasses import dataclass

from assay.agreement import CORRELATION, Batch, NanGroups, Statistic, Values, statistic
from assay.agreement.pearson import correlation
from assay.agreement.tie_classes import with_tie_classes
from assay.lazily import numpy as np
from assay.significance.ranks import average_ranks

__all__ = ["Spearman"]


@statistic("spearman")
@dataclass(frozen=True)
class Spearman(Statistic):
    """Pearson's r of ranks; tied items share the mean of their ranks."""

    nan_groups: NanGroups = "skip"
    exact_ties: bool = False

    label = "Spearman"
    agreement = CORRELATION

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        batch = batch if self.exact_ties else with_tie_classes(batch)
        metric, human = (average_ranks(scores, batch.mask) for scores in (batch.metric, batch.human))
        values = correlation(metric, human, batch.mask)
        computed = Values(values, batch.sizes.astype(np.float64), "the metric or the human scores are constant")
        return computed.undefined_as_zero(batch.sizes) if self.nan_groups == "zero" else computed
