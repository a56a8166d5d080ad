"""The "Kendall-like" tau of WMT17-20: human scores that are far enough apart count as preferences (DA to RR)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.agreement import CORRELATION, Batch, Statistic, Values, statistic
from assay.agreement.pair_counts import count_pairs, ratio
from assay.errors import ConfigError
from assay.lazily import numpy as np

__all__ = ["KendallLike"]


@statistic("kendall-like")
@dataclass(frozen=True)
class KendallLike(Statistic):
    """(concordant - discordant) / pairs, over pairs whose human scores are at least `threshold` apart.

    A tie of the metric is discordant. Stored scores are rounded, so a difference that misses the threshold by at most
    `tolerance` counts. A human tie is never a preference, even with threshold 0.
    """

    threshold: float = 25.0
    tolerance: float = 1e-6
    exact_ties: bool = False

    label = "Kendall-like"
    agreement = CORRELATION
    levels = frozenset({"segment"})
    uses_pairs = True

    def __post_init__(self) -> None:
        if not (0 <= self.threshold < math.inf and 0 <= self.tolerance < math.inf):
            raise ConfigError(f"threshold and tolerance must not be negative: {self.threshold:g}, {self.tolerance:g}")

    def compute(self, batch: Batch) -> Values:
        # With the roles exchanged, "apart by less than the threshold" is a tie within epsilon.
        epsilon = math.nextafter(max(self.threshold - self.tolerance, 0.0), -math.inf)
        exchanged = Batch(batch.human, batch.metric, batch.mask, batch.pairs)
        counts = count_pairs(exchanged, max(epsilon, 0.0), exact_ties=self.exact_ties)
        pairs = counts.concordant + counts.discordant + counts.tied_human
        values = ratio(2 * counts.concordant - pairs, pairs)
        at_least = f" by at least {self.threshold:g}" if self.threshold else ""
        return Values(values, pairs.astype(np.float64), f"no two human scores differ{at_least}")
