"""Soft pairwise accuracy (Thompson et al. 2024): is a metric as sure as people which system is better?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import AlignmentError, ConfigError, InputError
from assay.types import FloatArray

__all__ = ["SoftPairwiseAccuracy", "soft_pairwise_accuracy"]

_TOLERANCE = 1e-12  # of the sum of absolute differences: sums that differ by rounding are equal
_CELLS = 1 << 21  # of differences at a time

Ties = Literal["half", "at-least"]


@dataclass(frozen=True, slots=True)
class SoftPairwiseAccuracy:
    """The value (NaN where no two systems have a segment in common), and the p-values that it compares."""

    value: float
    pairs: int
    reason: str | None
    metric_p: FloatArray
    """(system, system): p of "the row is better than the column"; NaN without common segments and on the diagonal."""
    human_p: FloatArray


def soft_pairwise_accuracy(
    metric_segments: FloatArray,
    human_segments: FloatArray,
    *,
    draws: int = 1000,
    seed: int = 12345,
    ties: Ties = "half",
    pairs: npt.NDArray[np.bool_] | None = None,
) -> SoftPairwiseAccuracy:
    """1 - mean over pairs of systems of |p of people - p of the metric|; segment scores (system, segment), NaN: none.

    p of "i is better than j" by sign flips: the share of draws in which the sum of randomly signed differences is
    above the observed one, and half of those in which it is equal. So p_ij + p_ji = 1, and the order of systems does
    not matter. `ties="at-least"` counts the latter in full, for i < j in the order given (mt-metrics-eval). A pair is
    compared on the segments that both systems have on both sides; people and metric share the signs.
    """
    metric, human = (np.asarray(each, dtype=np.float64) for each in (metric_segments, human_segments))
    _check(metric, human, draws)
    given = ~(np.isnan(metric) | np.isnan(human))
    coins = _core.coin_weights(0, draws, metric.shape[1], seed, 1)
    first, second = np.triu_indices(len(metric), 1)
    metric_p, human_p = (_p_values(np.where(given, side, 0.0), given, coins, ties) for side in (metric, human))
    chosen = ~np.isnan(metric_p[first, second])
    if pairs is not None:
        chosen &= np.asarray(pairs, dtype=np.bool_)[first, second]
    gaps = np.abs(metric_p - human_p)[first, second][chosen]
    if not len(gaps):
        return SoftPairwiseAccuracy(np.nan, 0, "no two systems have a segment in common", metric_p, human_p)
    return SoftPairwiseAccuracy(1.0 - float(gaps.mean()), len(gaps), None, metric_p, human_p)


def _check(metric: FloatArray, human: FloatArray, draws: int) -> None:
    if metric.ndim != 2 or metric.shape != human.shape:
        raise AlignmentError(f"segment scores of shapes {metric.shape} and {human.shape} cannot be compared")
    if np.isinf(metric).any() or np.isinf(human).any():
        raise InputError("a score is infinite")
    if not 1 <= draws <= 10**7:
        raise ConfigError(f"draws must be between 1 and 10,000,000, not {draws}")


def _p_values(
    scores: FloatArray, given: npt.NDArray[np.bool_], coins: npt.NDArray[np.uint32], ties: Ties
) -> FloatArray:
    """Turning the signs of some differences raises their sum where the sum of those differences is below 0."""
    systems, segments = scores.shape
    p = np.full((systems, systems), np.nan)
    first, second = np.triu_indices(systems, 1)
    for begin in range(0, len(first), max(1, _CELLS // max(segments, 1))):
        i, j = (side[begin : begin + max(1, _CELLS // max(segments, 1))] for side in (first, second))
        common = given[i] & given[j]
        differences = (scores[i] - scores[j]) * common
        turned = _core.Summable(differences[:, :, np.newaxis]).sums(coins, 1)[:, :, 0]
        tolerance = _TOLERANCE * np.abs(differences).sum(axis=1, keepdims=True)
        equal = (0.5 if ties == "half" else 1.0) * (np.abs(turned) <= tolerance).sum(axis=1)
        draws = np.where(common.any(axis=1), float(len(coins)), np.nan)
        p[i, j] = ((turned < -tolerance).sum(axis=1) + equal) / draws
        p[j, i] = ((turned > tolerance).sum(axis=1) + equal) / draws
    return p
