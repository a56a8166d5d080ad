"""The resolution of a test that draws: no p-value is below 1 / (resamples + 1), however far the systems differ.

Where a correction for many pairs takes even that to alpha and above, a test can go on drawing, pair by pair. It stops
after a block of resamples if at least `FEW_EXTREME` of the n so far are as extreme as the observed difference (Besag &
Clifford 1991), or at a limit; either way p = (1 + extreme) / (1 + n).

Each such p-value keeps its level, P(p <= a) <= a under the null hypothesis, for every a. Let p_k be the p-value that
n_k resamples give, which keeps it, and t_k = (1 + FEW_EXTREME) / (1 + n_k), which falls with k. A pair that stops at k
has p >= t_k, and one that goes on has p_k < t_k. For an a with t_k <= a < t_(k-1), p <= a therefore means that the pair
came as far as k, and p_k <= a whether it stopped there or went on: P(p <= a) <= P(p_k <= a) <= a. Corrections such as
Holm's need no more than this.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from assay.lazily import numpy as np
from assay.results.outcome import is_significant
from assay.significance.corrections import corrected

__all__ = ["FEW_EXTREME", "MOST_RESAMPLES", "OutOfReach", "out_of_reach", "resample_limit"]

FEW_EXTREME = 10
MOST_RESAMPLES = 1_000_000
"""A test does not go on by itself beyond this number of resamples."""

_EXTREME_ALLOWED = 5  # at the limit, a p-value of about so many extreme resamples is significant

_TINY = 1e-12  # a p-value that no correction takes to 1
_ROUNDING = 1e-9  # relative


class OutOfReach(NamedTuple):
    """No p-value of a family can be significant."""

    p: float
    """The smallest possible one, corrected."""
    factor: float
    """What the correction multiplies it by; 1: no correction."""
    resamples: int
    """As many would be enough."""


def out_of_reach(smallest_p: float, pairs: int, correction: str, alpha: float) -> OutOfReach | None:
    """Whether no p-value of these pairs can be below alpha after the correction; None: one can, or there is no pair.

    The corrected p-values are smallest if all pairs have the smallest p-value.
    """
    if not pairs:
        return None
    p = float(corrected(np.full(pairs, smallest_p), correction).min())
    if is_significant(p, alpha):
        return None
    factor = float(corrected(np.full(pairs, _TINY), correction).min()) / _TINY
    return OutOfReach(p, factor, math.floor(factor / alpha * (1 + _ROUNDING)))


def resample_limit(resamples: int, pairs: int, correction: str, alpha: float) -> int:
    """Up to how many resamples to draw: `resamples`, or a multiple if no p-value of so few could be significant.

    `resamples` also if even `MOST_RESAMPLES` would be too few.
    """
    reach = out_of_reach(1 / (1 + resamples), pairs, correction, alpha)
    if reach is None or reach.resamples >= MOST_RESAMPLES:
        return resamples
    return min(math.ceil(_EXTREME_ALLOWED * reach.resamples / resamples) * resamples, MOST_RESAMPLES)
