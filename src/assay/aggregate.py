"""Scores of resamples, and intervals from them, in the same way for every metric: weight, sum, score.

A corpus score gives every segment the weight 1; the score of a group gives 1 to its segments and 0 to the others; a
bootstrap resample gives each segment the number of times it was drawn. The mean of segment scores is the corpus score
of the *mean table*, whose two columns are a segment's score and 1 (0 and 0 where the score is undefined): the score is
the ratio of their sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.resample import Bootstrap
from assay.results import Estimate
from assay.runtime import Runtime
from assay.types import FloatArray, Scorable, mean_of_defined

__all__ = ["estimate_from_replicates", "interval", "mean_of_resamples", "resampled_scores"]


def resampled_scores(scorables: Sequence[Scorable], bootstrap: Bootstrap, runtime: Runtime) -> list[FloatArray]:
    """The scores (system, resample) of each scorable. All have the same segments and use the same resamples."""
    sums = bootstrap.sums([scorable.table for scorable in scorables], runtime)
    return [scorable.score(totals) for scorable, totals in zip(scorables, sums, strict=True)]


def mean_of_resamples(scorable: Scorable, bootstrap: Bootstrap, runtime: Runtime) -> FloatArray:
    """The bootstrap aggregation: the mean score of each system over the resamples in which it is defined."""
    (replicates,) = resampled_scores([scorable], bootstrap, runtime)
    return mean_of_defined(replicates, axis=1)


def estimate_from_replicates(
    value: float, replicates: FloatArray, n: int, confidence: float, *, reason: str | None = None
) -> Estimate:
    """A value with the percentile interval and standard error of its replicates.

    Undefined replicates (NaN) are left out, and the reason says how many, unless the caller sets `reason`.
    """
    defined = replicates[~np.isnan(replicates)]
    undefined = len(replicates) - len(defined)
    if reason is None and undefined:
        reason = f"undefined in {undefined} of {len(replicates)} resamples"
    if len(defined) < 2:
        return Estimate(float(value), n, reason=reason)
    low, high = interval(defined, confidence)
    return Estimate(float(value), n, float(low), float(high), float(defined.std(ddof=1)), reason)


def interval(replicates: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """The percentile interval (Efron 1979) of each row: two quantiles that cut off tails of equal size."""
    last = replicates.shape[-1] - 1
    tail = (1 - confidence) / 2
    positions = [share * last for share in (tail, 1 - tail)]
    below = [min(math.floor(position), last) for position in positions]
    above = [min(place + 1, last) for place in below]
    ordered = np.partition(replicates, sorted({*below, *above}), axis=-1)  # the order of the others does not matter

    def quantile(side: int) -> FloatArray:
        """Linear interpolation between the two nearest order statistics."""
        low, high = ordered[..., below[side]], ordered[..., above[side]]
        interpolated: FloatArray = low + (positions[side] - below[side]) * (high - low)
        return interpolated

    return quantile(0), quantile(1)
