"""Scores that are equal up to rounding are tied: their differences are 0, and they share a rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["TIE", "score_differences", "shared_ranks"]

TIE = 1e-10
"""Neighbours that differ by at most this share of the largest absolute value differ by rounding only."""


def shared_ranks(values: Sequence[float], classes: Sequence[object] = ()) -> list[int]:
    """The rank of each value, best first: 1, 2, 2, 4 if the second and third are tied. NaN is tied with nothing.

    Values are tied only within the same of the `classes`, if there are any.
    """
    tolerance = TIE * max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    ranks: list[int] = []
    for place, value in enumerate(values, 1):
        before = values[place - 2]
        is_tied = place > 1 and (value == before or abs(value - before) <= tolerance)
        if classes and place > 1:
            is_tied = is_tied and classes[place - 1] == classes[place - 2]
        ranks.append(ranks[-1] if is_tied else place)
    return ranks


def score_differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """`first - second`, and 0 where they differ by rounding only: the same score summed up in another order ties.

    As for statistics of ranks, rounding is at most 1e-10 times the largest absolute score.
    """
    differences: FloatArray = first - second
    sizes = (float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0)) for scores in (first, second))
    tolerance = TIE * max(sizes)
    return np.where(np.abs(differences) <= (tolerance if math.isfinite(tolerance) else 0.0), 0.0, differences)
