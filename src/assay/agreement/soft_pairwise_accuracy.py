"""Soft pairwise accuracy (Thompson et al. 2024): does a metric prefer systems as confidently as people do?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.agreement import Batch, Statistic, Values, statistic
from assay.errors import ConfigError
from assay.resample import RESAMPLES, SEED
from assay.types import FloatArray

__all__ = ["SoftPairwiseAccuracy"]

_TOLERANCE = 1e-12  # relative to the sum of absolute deviations: sums that differ by less are equal
_ULP = 2.0**-52  # relative to the sum of absolute scores: their precision
_CELLS = 1 << 21  # differences held at a time


@statistic("soft-pairwise-accuracy", aliases={"spa": {}})
@dataclass(frozen=True)
class SoftPairwiseAccuracy(Statistic):
    """1 - mean over pairs of systems of |p of the human scores - p of the metric|.

    The p-value of "i is better than j" comes from random sign flips: it is the share of `resamples` in which the sum of
    signed segment differences is above the observed sum, plus half the share in which it is equal. So p_ij + p_ji = 1,
    and the order of systems does not matter. `ties=at-least` counts equal sums in full, for i < j in the order of the
    systems (mt-metrics-eval). A pair is compared on the segments for which both systems have both scores; metric and
    human scores use the same signs.
    """

    resamples: int = RESAMPLES
    seed: int = SEED
    ties: Literal["half", "at-least"] = "half"

    levels = frozenset({"system"})
    low = 0.0
    no_interval = "every resample would need its own p-values"
    uses_pairs = True
    is_joint = True
    is_pooled = True
    reads_segments = True

    def __post_init__(self) -> None:
        if not 1 <= self.resamples <= 10**7:
            raise ConfigError(f"resamples must be between 1 and 10,000,000, not {self.resamples}")

    def compute(self, batch: Batch) -> Values:
        """Groups are segments, items are systems."""
        mask = np.ascontiguousarray(batch.mask.T)
        coins = _core.coin_weights(0, self.resamples, mask.shape[1], self.seed, 1)
        metric, human = (
            self.p_better(np.ascontiguousarray(side.T), mask, coins) for side in (batch.metric, batch.human)
        )
        counted = ~np.isnan(metric) & np.triu(np.ones_like(metric, dtype=np.bool_), 1)
        if batch.pairs is not None:
            counted &= batch.pairs
        gaps = np.abs(metric - human)[counted]
        value = 1.0 - float(gaps.mean()) if len(gaps) else np.nan
        reason = "no two systems that count have a segment in common"
        return Values(np.array([value]), np.array([float(len(gaps))]), reason, pairs=np.array([len(gaps)]))

    def p_better(self, scores: FloatArray, mask: npt.NDArray[np.bool_], coins: npt.NDArray[np.uint32]) -> FloatArray:
        """(system, system): p of "the row is better than the column"; NaN without a common segment.

        Flipping the signs of some differences raises the total if the sum of those differences is below 0. The lowest
        score of each segment is subtracted first: that changes no difference, but keeps precision if scores are large.
        """
        systems, segments = scores.shape
        precision = _ULP * np.abs(scores)
        scores = np.where(mask, scores - np.where(mask, scores, np.inf).min(axis=0, initial=np.inf), 0.0)
        size = _TOLERANCE * scores + precision
        p = np.full((systems, systems), np.nan)
        first, second = np.triu_indices(systems, 1)
        step = max(1, _CELLS // max(segments, len(coins)))
        has_same_segments = bool((mask == mask[:1]).all())  # then differences of sums are enough
        sums = _core.Summable(scores[:, :, np.newaxis]).sums(coins, 1)[:, :, 0] if has_same_segments else None
        for begin in range(0, len(first), step):
            i, j = (side[begin : begin + step] for side in (first, second))
            common = mask[i] & mask[j]
            if sums is None:
                differences = (scores[i] - scores[j]) * common
                flipped = _core.Summable(differences[:, :, np.newaxis]).sums(coins, 1)[:, :, 0]
            else:
                flipped = sums[i] - sums[j]
            tolerance = np.where(common, size[i] + size[j], 0.0).sum(axis=1, keepdims=True)
            equal = (0.5 if self.ties == "half" else 1.0) * (np.abs(flipped) <= tolerance).sum(axis=1)
            resamples = np.where(common.any(axis=1), float(len(coins)), np.nan)
            p[i, j] = ((flipped < -tolerance).sum(axis=1) + equal) / resamples
            p[j, i] = ((flipped > tolerance).sum(axis=1) + equal) / resamples
        return p
