"""The threshold up to which differences of a metric are best treated as ties (Deutsch et al. 2023)."""

from __future__ import annotations

import math

import numpy as np

from assay import _core
from assay.agreement import Batch
from assay.agreement.pair_counts import count_pairs
from assay.types import IntArray

__all__ = ["best_epsilon"]

_BITS = 62  # available for a sum of weights


def best_epsilon(batch: Batch) -> float:
    """The smallest epsilon with the highest mean of acc23 over the groups that have pairs; 0 if none has.

    Candidates are 0 and every difference of the metric within a group. Sums are exact (see `_weights`), so the first of
    several equal maxima is found.
    """
    weights = _weights(count_pairs(batch).total)
    return _core.best_epsilon(batch.metric, batch.human, batch.mask, batch.pairs, weights)


def _weights(pairs: IntArray) -> IntArray:
    """Integer weights of a pair in each group, proportional to 1 / pairs of the group, whose sums do not overflow.

    Weights are exact if a common multiple of all numbers of pairs fits. If it does not (more than about 35 items per
    group, with varying gaps), only the smaller numbers divide it, and the weights of larger groups are rounded.
    """
    room = _BITS - len(pairs).bit_length()
    sizes, group_size = np.unique(np.maximum(pairs, 1), return_inverse=True)
    multiple = 1
    for size in sizes.tolist():
        if math.lcm(multiple, size).bit_length() > room:
            multiple <<= room - multiple.bit_length()  # use all bits, to round as little as possible
            break
        multiple = math.lcm(multiple, size)
    weights: IntArray = np.array([(multiple + size // 2) // size for size in sizes.tolist()], dtype=np.int64)[
        group_size
    ]
    return weights
