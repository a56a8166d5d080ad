"""What a metric that knows nothing would reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.agreement import Batch, Statistic
from assay.errors import ConfigError
from assay.types import FloatArray

__all__ = ["Chance", "chance_level"]


@dataclass(frozen=True, slots=True)
class Chance:
    """Mean and standard deviation, over draws, of the mean over groups; NaN with a reason where it is undefined."""

    mean: float
    deviation: float
    draws: int
    reason: str | None = None


def chance_level(
    statistic: Statistic, batch: Batch, draws: int = 100, seed: int = 12345, *, is_weighted: bool = False
) -> Chance:
    """The statistic of the metric with its scores shuffled within each group; of groups, the mean (or, weighted).

    What is calibrated is calibrated anew in each draw, so the level of acc-star holds what calibration gains by itself.
    """
    if not 1 <= draws <= 10**6:
        raise ConfigError(f"draws must be between 1 and 1,000,000, not {draws}")
    random = np.random.Generator(np.random.PCG64(seed))
    means, reason = [], ""
    for _ in range(draws):
        found = statistic.compute(Batch(_shuffled(batch, random), batch.human, batch.given, batch.pairs))
        defined = ~np.isnan(found.values)
        weights = found.weights[defined] if is_weighted else np.ones(int(defined.sum()))
        means.append(np.average(found.values[defined], weights=weights) if weights.sum() > 0 else np.nan)
        reason = found.reason
    has_values = not np.isnan(means).all()
    if not has_values:
        return Chance(np.nan, np.nan, draws, reason)
    return Chance(float(np.nanmean(means)), float(np.nanstd(means)), draws)


def _shuffled(batch: Batch, random: np.random.Generator) -> FloatArray:
    """The cells that are given, in the order of random numbers, put into those that are given, in their own order."""
    keys = np.where(batch.given, random.random(batch.given.shape), 2.0)
    metric = np.empty_like(batch.metric)
    places = np.argsort(~batch.given, axis=1, kind="stable")
    taken = np.take_along_axis(batch.metric, np.argsort(keys, axis=1, kind="stable"), axis=1)
    np.put_along_axis(metric, places, taken, axis=1)
    return metric
