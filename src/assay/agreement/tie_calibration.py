"""The threshold below which differences of a metric are best read as ties (Deutsch et al. 2023)."""

from __future__ import annotations

import math

import numpy as np

from assay import _core
from assay.agreement import Batch
from assay.agreement.pair_counts import count_pairs
from assay.types import IntArray

__all__ = ["best_epsilon"]

_BITS = 62  # of a sum of weights


def best_epsilon(batch: Batch) -> float:
    """The smallest epsilon with the highest mean of acc23 over the groups that have pairs; 0 if none has.

    Candidates are 0 and every difference of the metric within a group. Sums are exact (see `_weights`), so a maximum
    that recurs is found where it is first.
    """
    weights = _weights(count_pairs(batch).total)
    return _core.best_epsilon(batch.metric, batch.human, batch.given, batch.pairs, weights)


def _weights(pairs: IntArray) -> IntArray:
    """Of a pair in each group, in proportion to 1 / pairs of the group, as whole numbers; all groups together fit.

    A common multiple of the numbers of pairs makes them exact. Where it is too large (beyond some 35 items a group with
    all sorts of gaps), it is one of the smaller numbers, and the weights of larger groups are rounded.
    """
    room = _BITS - len(pairs).bit_length()
    sizes, group_size = np.unique(np.maximum(pairs, 1), return_inverse=True)
    multiple = 1
    for size in sizes.tolist():
        if math.lcm(multiple, size).bit_length() > room:
            multiple <<= room - multiple.bit_length()  # the finer, the less is rounded
            break
        multiple = math.lcm(multiple, size)
    weights: IntArray = np.array([(multiple + size // 2) // size for size in sizes.tolist()], dtype=np.int64)[
        group_size
    ]
    return weights
