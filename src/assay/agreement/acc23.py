"""Pairwise accuracy with ties (Deutsch et al. 2023): a tie of the metric is correct if the human scores tie too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.agreement import Batch, Statistic, SwapForm, Values, statistic
from assay.agreement.pair_counts import count_pairs, ratio
from assay.errors import ConfigError
from assay.lazily import numpy as np

__all__ = ["Acc23"]


@statistic("acc23")
@dataclass(frozen=True)
class Acc23(Statistic):
    """(concordant + tied in both) / all pairs. The metric ties items whose scores differ by at most `epsilon`."""

    epsilon: float = 0.0
    exact_ties: bool = False

    label = "acc23"
    low = 0.0
    excludes_self_pairs = True
    uses_pairs = True
    accuracy_scale = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon < math.inf:
            raise ConfigError(f"epsilon must be non-negative and finite, not {self.epsilon:g}")

    @property
    def has_threshold(self) -> bool:
        return self.epsilon > 0

    @property
    def swap_form(self) -> SwapForm | None:
        return None if self.has_threshold else "accuracy"

    def compute(self, batch: Batch) -> Values:
        counts = count_pairs(batch, self.epsilon, exact_ties=self.exact_ties)
        hits, pairs = counts.concordant + counts.tied_both, counts.total
        weights = batch.sizes.astype(np.float64)
        return Values(ratio(hits, pairs), weights, "there are fewer than two items", hits=hits, pairs=pairs)
