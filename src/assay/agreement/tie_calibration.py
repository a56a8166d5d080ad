"""The threshold up to which differences of a metric are best treated as ties (Deutsch et al. 2023)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from assay import _core
from assay.agreement import Batch, Resampler
from assay.agreement.pair_counts import count_pairs, ratio
from assay.agreement.tie_classes import with_tie_classes
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["best_epsilon", "resampled_accuracies"]

_BITS = 62  # available for a sum of weights
_MAX_SORTED_PAIRS = 1 << 23  # they take up to 270 MB while they are sorted


def best_epsilon(batch: Batch, *, exact_ties: bool = False) -> float:
    """The smallest epsilon with the highest mean of acc23 over the groups that have pairs; 0 if none has.

    Candidates are 0 and every difference of the metric within a group. Sums are exact (see `_weights`), so the first of
    several equal maxima is found.
    """
    batch = batch if exact_ties else with_tie_classes(batch)
    pairs = count_pairs(batch).total
    sizes, size_of_group = _sizes(pairs)
    weights = _weights(tuple(sizes.tolist()), len(pairs).bit_length())[size_of_group]
    return _core.best_epsilon(batch.metric, batch.human, batch.mask, batch.pairs, weights)


def resampled_accuracies(batch: Batch, threads: int, *, exact_ties: bool = False) -> Resampler | None:
    """The accuracies of groups at the best epsilon of each resample; None if there are too many pairs to keep.

    A group that is drawn several times counts several times. The weight of a pair depends on which groups were drawn.
    """
    batch = batch if exact_ties else with_tie_classes(batch)
    pairs = count_pairs(batch).total
    if pairs.sum() > _MAX_SORTED_PAIRS:
        return None
    steps = _core.TieSteps(batch.metric, batch.human, batch.mask, batch.pairs)
    sizes, size_of_group = _sizes(pairs)
    has_size = (size_of_group[:, np.newaxis] == np.arange(len(sizes))).astype(np.float32)

    def accuracies(draws: npt.NDArray[np.uint32]) -> FloatArray:
        has_drawn = draws.astype(np.float32) @ has_size > 0
        weights = np.zeros(has_drawn.shape, dtype=np.int64)
        for row, drawn, groups in zip(weights, has_drawn, draws.sum(axis=1).tolist(), strict=True):
            row[drawn] = _weights(tuple(sizes[drawn].tolist()), groups.bit_length())
        _, hits = steps.calibrate(weights[:, size_of_group] * draws.astype(np.int64), threads)
        return ratio(hits, np.broadcast_to(pairs, hits.shape))

    return accuracies


def _sizes(pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct numbers of pairs, and which of them each group has. A group without pairs counts as one pair."""
    sizes, size_of_group = np.unique(np.maximum(pairs, 1), return_inverse=True)
    return sizes, size_of_group


@lru_cache
def _weights(sizes: tuple[int, ...], bits: int) -> IntArray:
    """Integer weights of a pair in groups with so many pairs, proportional to 1 / pairs, whose sums do not overflow.

    `bits` is the bit length of the number of groups. Weights are exact if a common multiple of all numbers of pairs
    fits. If it does not (more than about 35 items per group, with varying gaps), only the smaller numbers divide it,
    and the weights of larger groups are rounded.
    """
    room = _BITS - bits
    multiple = 1
    for size in sizes:
        if math.lcm(multiple, size).bit_length() > room:
            multiple <<= room - multiple.bit_length()  # use all bits, to round as little as possible
            break
        multiple = math.lcm(multiple, size)
    weights: IntArray = np.array([(multiple + size // 2) // size for size in sizes], dtype=np.int64)
    weights.flags.writeable = False  # shared by all callers
    return weights
