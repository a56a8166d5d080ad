"""Scores of resamples, and intervals from them, in the same way for every metric: weight, sum, score.

A corpus score gives every segment the weight 1; the score of a group gives 1 to its segments and 0 to the others; a
bootstrap resample gives each segment the number of times it was drawn. The mean of segment scores is the corpus score
of the *mean table*, whose two columns are a segment's score and 1 (0 and 0 where the score is undefined): the score is
the ratio of their sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from assay import _core
from assay.aggregate.resample import Bootstrap
from assay.lazily import numpy as np
from assay.results import Estimate
from assay.types import FloatArray, Rows, Scorable, mean_of_defined, row_count
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = [
    "estimate_from_replicates",
    "estimates_from_replicates",
    "interval",
    "mean_of_resamples",
    "resampled_scores",
    "unless_single",
]


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
    row = np.ascontiguousarray(replicates, dtype=np.float64)[np.newaxis]
    (estimate,) = estimates_from_replicates([value], row, n, confidence, reasons=[reason])
    return estimate


def estimates_from_replicates(
    values: Sequence[float], replicates: Rows, n: int, confidence: float, *, reasons: Sequence[str | None]
) -> list[Estimate]:
    """The estimate of each value with its row of replicates (value, resample).

    A value that is undefined has no interval: that of the resamples with a value would be of other segments.
    """
    summaries = _core.replicate_summaries(replicates, confidence)
    resamples = row_count(replicates)
    estimates = []
    for value, reason, (defined, low, high, error) in zip(values, reasons, summaries, strict=True):
        if reason is None and defined < resamples:
            reason = f"undefined in {resamples - defined} of {plural(resamples, 'resample')}"
        found = Estimate(float(value), n, reason=reason)
        has_interval = defined > 1 and not math.isnan(value)
        estimates.append(replace(found, low=low, high=high, standard_error=error) if has_interval else found)
    return estimates


def unless_single(estimate: Estimate, unit: str) -> Estimate:
    """The estimate, without an interval if n is 1: drawing one again and again says nothing of the spread of many.

    `unit` is what is drawn, such as a segment.
    """
    if estimate.n != 1 or math.isnan(estimate.low):
        return estimate
    reason = f"a single {unit} has no interval"
    return replace(estimate, low=math.nan, high=math.nan, standard_error=math.nan, reason=reason)


def interval(replicates: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """The percentile interval (Efron 1979) of each row: two quantiles that cut off tails of equal size."""
    rows = np.ascontiguousarray(replicates, dtype=np.float64).reshape(-1, replicates.shape[-1])
    bounds = np.array([summary[1:3] for summary in _core.replicate_summaries(rows, confidence)])
    low, high = bounds.T.reshape(2, *replicates.shape[:-1])
    return low, high
