"""The resolution of a test that draws: no p-value is below 1 / (resamples + 1), however far the systems differ."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from assay.results.significant import is_significant
from assay.significance.corrections import corrected

__all__ = ["OutOfReach", "out_of_reach"]

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
