"""What metrics without any relation to people have: a statistic of shuffled scores, and bounds of Pearson."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.aggregate.resample import SEED
from assay.agreement import Batch, Statistic, Values
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

__all__ = ["MIN_SYSTEMS", "Chance", "chance_level", "random_bound"]

MIN_SYSTEMS = 4
"""With fewer systems, almost any correlation may be random."""
_QUANTILE = 0.975
_MAX_CELLS = 1 << 20  # shuffled scores held at a time


@dataclass(frozen=True, slots=True)
class Chance:
    """Mean and standard deviation over random metrics of the mean over groups; NaN with a reason where undefined."""

    mean: float
    standard_deviation: float
    """NaN for a single random metric."""
    metrics: int
    reason: str | None = None


def chance_level(
    statistic: Statistic,
    batch: Batch,
    metrics: int = 100,
    seed: int = SEED,
    *,
    is_weighted: bool = False,
    outputs: IntArray | None = None,
) -> Chance:
    """The mean value of `metrics` random metrics.

    `outputs` (group, item) numbers the scored outputs where one output may occur in several groups: a random metric
    still gives each output a single score, so the values vary more than if each group were shuffled independently.
    A statistic that calibrates something does so for each random metric, so the chance level of acc-star includes the
    gain from calibration.
    """
    if not 1 <= metrics <= 10**6:
        raise ConfigError(f"the number of random metrics must be between 1 and 1,000,000, not {metrics}")
    random = np.random.Generator(np.random.PCG64(seed))
    means: list[float] = []
    block = max(1, _MAX_CELLS // max(batch.mask.size, 1))
    reason = ""
    while len(means) < metrics:
        count = 1 if statistic.is_joint else min(block, metrics - len(means))
        stacked = Batch(
            np.concatenate([_random_scores(batch, outputs, random) for _ in range(count)]),
            np.tile(batch.human, (count, 1)),
            np.tile(batch.mask, (count, 1)),
            batch.pairs,
        )
        computed = statistic.compute(stacked)
        reason = computed.reason
        splits = zip(np.split(computed.values, count), np.split(computed.weights, count), strict=True)
        means += [Values(*split, reason).mean(is_weighted=is_weighted) for split in splits]
    if np.isnan(means).all():
        return Chance(np.nan, np.nan, metrics, reason)
    deviation = float(np.nanstd(means, ddof=1)) if metrics > 1 else np.nan
    return Chance(float(np.nanmean(means)), deviation, metrics)


def _random_scores(batch: Batch, outputs: IntArray | None, random: np.random.Generator) -> FloatArray:
    """A random score per output, or the metric's own scores shuffled within each group."""
    if outputs is not None:
        scores: FloatArray = random.normal(size=int(outputs.max(initial=0)) + 1)[outputs]
        return scores
    keys = np.where(batch.mask, random.random(batch.mask.shape), 2.0)  # cells outside the mask sort last
    shuffled = np.empty_like(batch.metric)
    targets = np.argsort(~batch.mask, axis=1, kind="stable")
    values = np.take_along_axis(batch.metric, np.argsort(keys, axis=1, kind="stable"), axis=1)
    np.put_along_axis(shuffled, targets, values, axis=1)
    return shuffled


def random_bound(systems: int) -> float:
    """Pearson of 95 % of random metrics is between this and its negative: r = t / sqrt(n - 2 + t²), Student's t."""
    from scipy.special import stdtrit

    t = float(stdtrit(systems - 2, _QUANTILE))
    return t / math.sqrt(systems - 2 + t * t)
