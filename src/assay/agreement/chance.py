"""What a metric that knows nothing would reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.agreement import Batch, Statistic, Values
from assay.errors import ConfigError
from assay.types import FloatArray, IntArray

__all__ = ["Chance", "chance_level"]

_CELLS = 1 << 20  # of shuffled scores at a time


@dataclass(frozen=True, slots=True)
class Chance:
    """Mean and standard deviation, over draws, of the mean over groups; NaN with a reason where it is undefined.

    One draw has no deviation: NaN.
    """

    mean: float
    deviation: float
    draws: int
    reason: str | None = None


def chance_level(
    statistic: Statistic,
    batch: Batch,
    draws: int = 100,
    seed: int = 12345,
    *,
    is_weighted: bool = False,
    outputs: IntArray | None = None,
) -> Chance:
    """The statistic of the metric with its scores shuffled within each group; of groups, the mean (or, weighted).

    `outputs` (group, item) numbers what is scored, where it may be in several groups: a metric that knows nothing still
    gives one output one score, so chance varies more than if each group were shuffled by itself.
    What is calibrated is calibrated anew in each draw, so the level of acc-star holds what calibration gains by itself.
    """
    if not 1 <= draws <= 10**6:
        raise ConfigError(f"draws must be between 1 and 1,000,000, not {draws}")
    random = np.random.Generator(np.random.PCG64(seed))
    means: list[float] = []
    at_once = max(1, _CELLS // max(batch.given.size, 1))
    found = None
    while len(means) < draws:
        count = 1 if statistic.is_joint else min(at_once, draws - len(means))
        several = Batch(
            np.concatenate([_guessed(batch, outputs, random) for _ in range(count)]),
            np.tile(batch.human, (count, 1)),
            np.tile(batch.given, (count, 1)),
            batch.pairs,
        )
        found = statistic.compute(several)
        parts = zip(np.split(found.values, count), np.split(found.weights, count), strict=True)
        means += [Values(*part, found.reason).mean(is_weighted=is_weighted) for part in parts]
    if found is None or np.isnan(means).all():
        return Chance(np.nan, np.nan, draws, "" if found is None else found.reason)
    deviation = float(np.nanstd(means, ddof=1)) if draws > 1 else np.nan
    return Chance(float(np.nanmean(means)), deviation, draws)


def _guessed(batch: Batch, outputs: IntArray | None, random: np.random.Generator) -> FloatArray:
    if outputs is None:
        return _shuffled(batch, random)
    scores: FloatArray = random.normal(size=int(outputs.max(initial=0)) + 1)[outputs]
    return scores


def _shuffled(batch: Batch, random: np.random.Generator) -> FloatArray:
    """The cells that are given, in the order of random numbers, put into those that are given, in their own order."""
    keys = np.where(batch.given, random.random(batch.given.shape), 2.0)
    metric = np.empty_like(batch.metric)
    places = np.argsort(~batch.given, axis=1, kind="stable")
    taken = np.take_along_axis(batch.metric, np.argsort(keys, axis=1, kind="stable"), axis=1)
    np.put_along_axis(metric, places, taken, axis=1)
    return metric
