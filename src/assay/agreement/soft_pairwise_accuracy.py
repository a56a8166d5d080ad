"""Soft pairwise accuracy (Thompson et al. 2024): does a metric prefer systems as confidently as people do?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assay import _core
from assay.aggregate.resample import RESAMPLES, SEED
from assay.agreement import Batch, Statistic, SwapForm, Values, statistic
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results.agreement import MONTE_CARLO_ERROR
from assay.types import FloatArray, summable

if TYPE_CHECKING:
    import numpy.typing as npt

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

    The detail `monte_carlo_error` is the standard error of the value over draws of the signs, to first order: p-values
    are means over draws, and the value is linear in them where no gap is near 0.
    """

    resamples: int = RESAMPLES
    seed: int = SEED
    ties: Literal["half", "at-least"] = "half"
    signs: Literal["assay", "mtme"] = "assay"
    """Whose random signs: `mtme` has those that mt-metrics-eval draws from the seed (its own seed is 4)."""

    label = "soft pairwise accuracy"
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

    @property
    def swap_form(self) -> SwapForm:
        return "soft accuracy"

    def compute(self, batch: Batch) -> Values:
        """Groups are segments, items are systems."""
        mask = np.ascontiguousarray(batch.mask.T)
        coins = self.coins(mask)
        metric, human = (self._flips(np.ascontiguousarray(side.T), mask, coins) for side in (batch.metric, batch.human))
        counted = (
            metric.is_defined if batch.pairs is None else metric.is_defined & batch.pairs[metric.first, metric.second]
        )
        gaps = (metric.p - human.p)[counted]
        value = 1.0 - float(np.abs(gaps).mean()) if len(gaps) else np.nan
        draws = (metric.shares[:, counted] - human.shares[:, counted]) @ np.sign(gaps) / max(len(gaps), 1)
        error = float(draws.std(ddof=1)) / np.sqrt(len(draws)) if len(draws) > 1 and len(gaps) else np.nan
        details = () if np.isnan(error) else ((MONTE_CARLO_ERROR, option_text(float(f"{error:.2g}"))),)
        reason = "no two systems that count have a segment in common"
        by_pair = np.full((len(mask), len(mask)), np.nan)
        by_pair[metric.first[counted], metric.second[counted]] = 1.0 - np.abs(gaps)
        by_pair[metric.second[counted], metric.first[counted]] = 1.0 - np.abs(gaps)
        pairs, weights = np.array([len(gaps)]), np.array([float(len(gaps))])
        return Values(np.array([value]), weights, reason, details=details, pairs=pairs, by_pair=by_pair)

    def coins(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
        """(resample, segment): 1 where the sign is flipped. The mask is (system, segment)."""
        if self.signs == "assay":
            return _core.swap_weights(0, self.resamples, mask.shape[1], self.seed, 1)
        used = np.asarray(mask.any(axis=0))  # mt-metrics-eval has no columns for other segments
        draws = np.random.default_rng(self.seed).random((self.resamples, int(used.sum())), dtype=np.float32)
        coins = np.zeros((self.resamples, mask.shape[1]), dtype=np.uint32)
        coins[:, used] = draws <= 0.5
        return coins

    def p_better(self, scores: FloatArray, mask: npt.NDArray[np.bool_], coins: npt.NDArray[np.uint32]) -> FloatArray:
        """(system, system): p of "the row is better than the column"; NaN without a common segment."""
        flips = self._flips(scores, mask, coins)
        p = np.full((len(scores), len(scores)), np.nan)
        p[flips.first, flips.second] = flips.p
        p[flips.second, flips.first] = flips.p_other
        return p

    def _flips(self, scores: FloatArray, mask: npt.NDArray[np.bool_], coins: npt.NDArray[np.uint32]) -> _Flips:
        """What random sign flips do to the difference of every pair of systems.

        Flipping the signs of some differences raises the total if the sum of those differences is below 0. The lowest
        score of each segment is subtracted first: that changes no difference, but keeps precision if scores are large.
        """
        systems, segments = scores.shape
        precision = _ULP * np.abs(scores)
        scores = np.where(mask, scores - np.where(mask, scores, np.inf).min(axis=0, initial=np.inf), 0.0)
        size = _TOLERANCE * scores + precision
        first, second = np.triu_indices(systems, 1)
        shares = np.zeros((len(coins), len(first)), dtype=np.float32)
        p, p_other = np.full(len(first), np.nan), np.full(len(first), np.nan)
        step = max(1, _CELLS // max(segments, len(coins)))
        has_same_segments = bool((mask == mask[:1]).all())  # then differences of sums are enough
        sums = summable(scores[:, :, np.newaxis]).sums(coins, 1)[:, :, 0] if has_same_segments else None
        of_a_tie = 0.5 if self.ties == "half" else 1.0
        for begin in range(0, len(first), step):
            block = slice(begin, begin + step)
            i, j = first[block], second[block]
            common = mask[i] & mask[j]
            if sums is None:
                differences = (scores[i] - scores[j]) * common
                flipped = summable(differences[:, :, np.newaxis]).sums(coins, 1)[:, :, 0]
            else:
                flipped = sums[i] - sums[j]
            tolerance = np.where(common, size[i] + size[j], 0.0).sum(axis=1, keepdims=True)
            is_below, is_above = flipped < -tolerance, flipped > tolerance
            equal = of_a_tie * (~is_below & ~is_above).sum(axis=1)
            resamples = np.where(common.any(axis=1), float(len(coins)), np.nan)
            p[block] = (is_below.sum(axis=1) + equal) / resamples
            p_other[block] = (is_above.sum(axis=1) + equal) / resamples
            shares[:, block] = np.where(is_below, 1.0, np.where(is_above, 0.0, of_a_tie)).T
        return _Flips(first, second, p, p_other, shares)


@dataclass(frozen=True, slots=True)
class _Flips:
    """For each pair of systems, `first` before `second`: p-values, and what each resample contributes to the first."""

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    p: FloatArray
    """Of "the first is better"; NaN without a common segment."""
    p_other: FloatArray
    """Of "the second is better"."""
    shares: npt.NDArray[np.float32]
    """(resample, pair): p is the mean over resamples."""

    @property
    def is_defined(self) -> npt.NDArray[np.bool_]:
        """Whether a pair has a common segment."""
        return ~np.isnan(self.p)
