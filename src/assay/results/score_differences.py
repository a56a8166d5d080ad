"""Differences between scores, where scores that are equal up to rounding are equal."""

from __future__ import annotations

import math

import numpy as np

from assay.results.shared_ranks import TIE
from assay.types import FloatArray

__all__ = ["score_differences"]


def score_differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """`first - second`, and 0 where they differ by rounding only: the same score summed up in another order ties.

    As for statistics of ranks, rounding is at most 1e-10 times the largest absolute score.
    """
    differences: FloatArray = first - second
    sizes = (float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0)) for scores in (first, second))
    tolerance = TIE * max(sizes)
    return np.where(np.abs(differences) <= (tolerance if math.isfinite(tolerance) else 0.0), 0.0, differences)
