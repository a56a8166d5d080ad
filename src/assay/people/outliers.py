"""Outlier systems: those that people put far above or below the others (Mathur et al. 2020, section 4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from assay.errors import ConfigError
from assay.results import Outliers

__all__ = ["CUTOFF", "find_outliers"]

CUTOFF = 2.5
_CONSISTENCY = 1.4826  # makes the MAD of a normal distribution its standard deviation


def find_outliers(scores: Mapping[str, float], *, cutoff: float = CUTOFF) -> Outliers:
    """Systems with |score - median| / (1.4826 MAD) > `cutoff`, in either direction; NaN: the system was not judged.

    A MAD of 0 (more than half of the systems have the same score) gives no scale to measure by: no outliers, NaN
    distances and a reason.
    """
    if not cutoff > 0 or math.isinf(cutoff):
        raise ConfigError(f"the cut-off of outliers must be above 0, not {cutoff:g}")
    values = np.array(list(scores.values()), dtype=np.float64)
    judged = values[~np.isnan(values)]
    if not len(judged):
        return Outliers((), dict(scores), math.nan, math.nan, cutoff, "no system has a human score")
    median = float(np.median(judged))
    mad = _CONSISTENCY * float(np.median(np.abs(judged - median)))
    if mad == 0:
        reason = "more than half of the systems have the same human score: there is no scale to measure by (MAD 0)"
        return Outliers((), dict.fromkeys(scores, math.nan), median, mad, cutoff, reason)
    distances = dict(zip(scores, (np.abs(values - median) / mad).tolist(), strict=True))
    return Outliers(tuple(name for name, d in distances.items() if d > cutoff), distances, median, mad, cutoff)
