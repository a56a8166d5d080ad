"""Soft pairwise accuracy (Thompson et al. 2024): is a metric as sure as people which system is better?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.agreement import Batch, Statistic, Values, statistic
from assay.errors import ConfigError
from assay.types import FloatArray

__all__ = ["SoftPairwiseAccuracy"]

_TOLERANCE = 1e-12  # of the sum of absolute deviations: sums that differ by rounding are equal
_ULP = 2.0**-52  # of the sum of absolute scores: to how much they are known
_CELLS = 1 << 21  # of differences at a time


@statistic("soft-pairwise-accuracy", aliases={"spa": {}})
@dataclass(frozen=True)
class SoftPairwiseAccuracy(Statistic):
    """1 - mean over pairs of systems of |p of people - p of the metric|.

    p of "i is better than j" by sign flips: the share of `draws` in which the sum of randomly signed differences of
    segments is above the observed one, and half of those in which it is equal. So p_ij + p_ji = 1, and the order of
    systems does not matter. `ties=at-least` counts the latter in full, for i < j in the order given (mt-metrics-eval).
    A pair is compared on the segments that both systems have on both sides; people and metric share the signs.
    """

    draws: int = 1000
    seed: int = 12345
    ties: Literal["half", "at-least"] = "half"

    levels = frozenset({"system"})
    low = 0.0
    interval = "none: its p-values would have to be drawn anew for every resample"
    uses_pairs = True
    is_joint = True
    is_pooled = True
    reads_segments = True

    def __post_init__(self) -> None:
        if not 1 <= self.draws <= 10**7:
            raise ConfigError(f"draws must be between 1 and 10,000,000, not {self.draws}")

    def compute(self, batch: Batch) -> Values:
        """Groups are segments, items are systems."""
        given = np.ascontiguousarray(batch.given.T)
        coins = _core.coin_weights(0, self.draws, given.shape[1], self.seed, 1)
        metric, human = (
            self.p_better(np.ascontiguousarray(side.T), given, coins) for side in (batch.metric, batch.human)
        )
        chosen = ~np.isnan(metric) & np.triu(np.ones_like(metric, dtype=np.bool_), 1)
        if batch.pairs is not None:
            chosen &= batch.pairs
        gaps = np.abs(metric - human)[chosen]
        value = 1.0 - float(gaps.mean()) if len(gaps) else np.nan
        reason = "no two systems that count have a segment in common"
        return Values(np.array([value]), np.array([float(len(gaps))]), reason, pairs=np.array([len(gaps)]))

    def p_better(self, scores: FloatArray, given: npt.NDArray[np.bool_], coins: npt.NDArray[np.uint32]) -> FloatArray:
        """(system, system): p of "the row is better than the column"; NaN without a common segment.

        Turning the signs of some differences raises their sum where the sum of those differences is below 0. Of each
        segment, the lowest score is taken off: that changes no difference, and large scores would hide small ones.
        """
        systems, segments = scores.shape
        known = _ULP * np.abs(scores)
        scores = np.where(given, scores - np.where(given, scores, np.inf).min(axis=0, initial=np.inf), 0.0)
        size = _TOLERANCE * scores + known
        p = np.full((systems, systems), np.nan)
        first, second = np.triu_indices(systems, 1)
        step = max(1, _CELLS // max(segments, len(coins)))
        is_even = bool((given == given[:1]).all())  # all have the same segments: differences of sums will do
        sums = _core.Summable(scores[:, :, np.newaxis]).sums(coins, 1)[:, :, 0] if is_even else None
        for begin in range(0, len(first), step):
            i, j = (side[begin : begin + step] for side in (first, second))
            common = given[i] & given[j]
            if sums is None:
                differences = (scores[i] - scores[j]) * common
                turned = _core.Summable(differences[:, :, np.newaxis]).sums(coins, 1)[:, :, 0]
            else:
                turned = sums[i] - sums[j]
            tolerance = np.where(common, size[i] + size[j], 0.0).sum(axis=1, keepdims=True)
            equal = (0.5 if self.ties == "half" else 1.0) * (np.abs(turned) <= tolerance).sum(axis=1)
            draws = np.where(common.any(axis=1), float(len(coins)), np.nan)
            p[i, j] = ((turned < -tolerance).sum(axis=1) + equal) / draws
            p[j, i] = ((turned > tolerance).sum(axis=1) + equal) / draws
        return p
