"""Outlier systems: those with human scores far above or below the others (Mathur et al. 2020, section 4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.options.option import HUMAN, Option
from assay.results import Outliers

__all__ = ["CUTOFF", "Cutoff", "find_outliers"]

CUTOFF = 2.5
Cutoff = Annotated[
    float,
    Option("Distance of outliers from the median human score, in scaled median absolute deviations.", group=HUMAN),
]
_CONSISTENCY = 1.4826  # makes the MAD of a normal distribution its standard deviation


def find_outliers(scores: Mapping[str, float], *, cutoff: float = CUTOFF) -> Outliers:
    """Systems with |score - median| / (1.4826 MAD) > `cutoff`, in either direction. Scores may be NaN.

    If more than half of the systems have the same score, the MAD is 0 and distances are undefined: the result has no
    outliers, and a reason.
    """
    if not cutoff > 0 or math.isinf(cutoff):
        raise ConfigError(f"{option_name('cutoff')} must be positive and finite, not {cutoff:g}")
    values = np.array(list(scores.values()), dtype=np.float64)
    judged = values[~np.isnan(values)]
    if not len(judged):
        return Outliers((), dict(scores), math.nan, math.nan, cutoff, "no system has a human score")
    median = float(np.median(judged))
    mad = _CONSISTENCY * float(np.median(np.abs(judged - median)))
    if mad == 0:
        reason = "more than half of the systems have the same human score, so distances are undefined (MAD 0)"
        return Outliers((), dict.fromkeys(scores, math.nan), median, mad, cutoff, reason)
    distances = dict(zip(scores, (np.abs(values - median) / mad).tolist(), strict=True))
    return Outliers(tuple(name for name, d in distances.items() if d > cutoff), distances, median, mad, cutoff)
