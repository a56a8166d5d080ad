"""The threshold below which differences of a metric are best read as ties (Deutsch et al. 2023)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from assay.agreement import Batch
from assay.agreement.pair_counts import count_pairs
from assay.errors import InputError
from assay.types import FloatArray

__all__ = ["best_epsilon"]

_MOST_PAIRS = 50_000_000  # 400 MB of differences


def best_epsilon(batch: Batch) -> float:
    """The smallest epsilon with the highest mean of acc23 over the groups that have pairs; 0 if none has.

    Candidates are 0 and every difference of the metric within a group. Making a pair a tie gains where people tie and
    loses where it was concordant, so the first maximum is 0 or a difference of a pair that people tie: at each of
    these, count what was gained and lost up to there. All in whole numbers: groups of n pairs weigh a common multiple / n.
    Cost: O(P log P) for P pairs, for each number of pairs that a group has.
    """
    group_pairs = count_pairs(batch).total
    if group_pairs.sum() > _MOST_PAIRS:
        raise InputError(
            f"tie calibration looks at every pair, and {group_pairs.sum():,} are too many (at most {_MOST_PAIRS:,})",
            hint="compare within segments (by item), or give a threshold: acc23:epsilon=...",
        )
    sizes: list[int] = np.unique(group_pairs[group_pairs > 0]).tolist()
    changes = [_gains_and_losses(batch, group_pairs == size) for size in sizes]
    epsilons = np.unique(np.concatenate([np.zeros(1), *(gains for gains, _ in changes)]))
    multiple = math.lcm(*sizes)
    exact = np.int64 if multiple * len(group_pairs) < 2**62 else object
    total = np.zeros(len(epsilons), dtype=exact)
    for size, (gains, losses) in zip(sizes, changes, strict=True):
        change = np.searchsorted(gains, epsilons, side="right") - np.searchsorted(losses, epsilons, side="right")
        total += change.astype(exact) * (multiple // size)
    return float(epsilons[np.argmax(total)])


def _gains_and_losses(batch: Batch, groups: npt.NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Differences of the metric, sorted: of the pairs that people tie, and of those that are concordant."""
    rows = slice(None) if groups.all() else groups
    metric, human, given = (np.ascontiguousarray(each[rows].T) for each in (batch.metric, batch.human, batch.given))
    gains, losses = [], []
    for item in range(len(metric) - 1):
        others = slice(item + 1, None)
        x, y = metric[item] - metric[others], human[item] - human[others]
        counts = given[item] & given[others]
        if batch.pairs is not None:
            counts &= batch.pairs[item, others, np.newaxis]
        is_tied = y == 0
        is_concordant = (x > 0) == (y > 0)
        is_concordant &= (x != 0) & ~is_tied & counts
        is_tied &= counts
        np.abs(x, out=x)
        gains.append(x[is_tied])
        losses.append(x[is_concordant])
    return np.sort(np.concatenate(gains)), np.sort(np.concatenate(losses))
