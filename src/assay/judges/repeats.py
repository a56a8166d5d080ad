"""Agreement of answers and scores that were made twice: in two votes, in both orders, or by two judges."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["changed_orders", "cohen_kappa"]

_ROUNDING = 1e-9  # of the largest score: means that differ by less are equal


def cohen_kappa(pairs: Iterable[tuple[float, float]]) -> float:
    """Cohen's kappa, each value a class; NaN if all values are the same, or there are none."""
    counts = Counter(pairs)
    total = counts.total()
    first, second = Counter[float](), Counter[float]()
    for (one, other), count in counts.items():
        first[one] += count
        second[other] += count
    expected = sum(count * second[value] for value, count in first.items()) / max(total, 1) ** 2
    observed = sum(count for (one, other), count in counts.items() if one == other) / max(total, 1)
    return math.nan if expected == 1 or not total else (observed - expected) / (1 - expected)


def changed_orders(one: FloatArray, other: FloatArray) -> tuple[int, int]:
    """Of two tables of scores (system, segment): how many pairs of systems have another order, and how many there are.

    Systems are ordered by their means over the segments that all of them have in both tables; a tie is an order of its
    own. Systems without a score in both tables are left out.
    """
    both = ~np.isnan(one) & ~np.isnan(other)
    has_scores = both.any(axis=1)
    common = both[has_scores].all(axis=0)
    if has_scores.sum() < 2 or not common.any():
        return 0, 0
    orders = [_orders(table[has_scores][:, common]) for table in (one, other)]
    return sum(a != b for a, b in zip(*orders, strict=True)), len(orders[0])


def _orders(scores: FloatArray) -> list[int]:
    """For each pair of systems: 1 if the first has the higher mean, -1 if the lower one, 0 for a tie."""
    means = [math.fsum(row) / len(row) for row in scores.tolist()]
    margin = _ROUNDING * float(np.abs(scores).max())
    return [(a > b + margin) - (a < b - margin) for a, b in combinations(means, 2)]
