"""Pairwise accuracy of systems (Kocmi et al. 2021): how often a metric orders two as human scores do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.agreement import Batch, Statistic, Values, statistic
from assay.agreement.pair_counts import count_pairs, ratio
from assay.lazily import numpy as np

__all__ = ["PairwiseAccuracy"]


@statistic("pairwise-accuracy")
@dataclass(frozen=True)
class PairwiseAccuracy(Statistic):
    """Pairs of systems that agree / pairs. Pool language pairs by the sums of `hits` and `pairs`.

    `ties=equal`: a tie agrees with a tie and with nothing else (mt-metrics-eval). `ties=wrong`: pairs tied in the human
    scores do not count, and a tie of the metric is wrong (Kocmi et al. 2021).
    """

    ties: Literal["equal", "wrong"] = "equal"
    exact_ties: bool = False

    label = "pairwise accuracy"
    levels = frozenset({"system"})
    low = 0.0
    excludes_self_pairs = True
    uses_pairs = True

    def compute(self, batch: Batch) -> Values:
        counts = count_pairs(batch, exact_ties=self.exact_ties)
        hits, pairs, reason = counts.concordant + counts.tied_both, counts.total, "there are fewer than two systems"
        if self.ties == "wrong":
            hits, pairs = counts.concordant, counts.total - counts.tied_human - counts.tied_both
            reason = "all pairs of systems are tied in the human scores"
        return Values(ratio(hits, pairs), pairs.astype(np.float64), reason, hits=hits, pairs=pairs)
