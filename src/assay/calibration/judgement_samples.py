"""What people prefer if fewer segments are judged: tests of samples of the human scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from assay.errors import option_name, spelled
from assay.lazily import numpy as np
from assay.results.judged_pairs import SAMPLES, JudgedPairs
from assay.significance import Test
from assay.types import FloatArray, Scorable

__all__ = ["SIZES", "largest_sample", "outside_samples", "preferred_in_samples", "sampled_shares"]

SIZES = (50, 100, 150, 200, 300, 400, 500, 700, 1000)
"""Numbers of judged segments that the bundled calibration knows."""


def preferred_in_samples(
    systems: tuple[str, str], values: FloatArray, test: Test, alpha: float, sizes: Sequence[int], seed: Sequence[int]
) -> dict[int, tuple[float, float]]:
    """For each size, in how many samples of so many segments each of two systems is significantly better.

    `values` has the human scores of both (system, segment). Samples are drawn without replacement: of segments drawn at
    random, a part drawn at random is a smaller sample of the same kind.
    """
    found = {}
    for size in sizes:
        random = np.random.default_rng((*seed, size))
        better = [0.0, 0.0] if size <= values.shape[1] else [math.nan, math.nan]
        for _ in range(SAMPLES if size <= values.shape[1] else 0):
            drawn = values[:, random.permutation(values.shape[1])[:size]]
            first, second = (Scorable.of_segments(row, (name,)) for row, name in zip(drawn, systems, strict=True))
            for place, tested in enumerate(test.both_p_values(first, second)):
                better[place] += tested.p < alpha
        found[size] = (better[0], better[1])
    return found


def sampled_shares(sampled: Mapping[int, FloatArray], size: int) -> FloatArray | None:
    """(pair, 2): how often people significantly prefer each system if so many segments are judged.

    Between two sizes that were sampled, shares lie between those of the two, by the square root of the size, with which
    the evidence of a test grows. None outside of them; NaN for pairs with too few segments.
    """
    sizes = sorted(sampled)
    if size in sampled:
        return sampled[size] / SAMPLES
    for below, above in pairwise(sizes):
        if below < size < above:
            part = (math.sqrt(size) - math.sqrt(below)) / (math.sqrt(above) - math.sqrt(below))
            shares: FloatArray = ((1 - part) * sampled[below] + part * sampled[above]) / SAMPLES
            return shares
    return None


def outside_samples(pairs: Sequence[JudgedPairs], size: int, source: str) -> str:
    """Why a calibration has no answer for a number of judged segments; empty if it may have one."""
    sizes = sorted({known for each in pairs for known in each.sampled})
    if not sizes:
        drawn = option_name("judged", ",".join(map(str, SIZES[:3])))
        return spelled(f"'{source}' has no samples of judged segments; assay calibrate with {drawn} draws them")
    if not sizes[0] <= size <= sizes[-1]:
        return f"'{source}' has samples of {sizes[0]:,} to {sizes[-1]:,} judged segments, not of {size:,}"
    return ""


def largest_sample(pairs: Sequence[JudgedPairs], metric: str, aggregation: str, protocol: str) -> int:
    """The largest number of judged segments for which two language pairs have samples and scores; 0: there is none."""
    sizes: dict[str, int] = {}
    for each in pairs:
        if each.protocol == protocol and aggregation in each.scores.get(metric, {}) and each.sampled:
            sizes[each.campaign + each.lp] = max(each.sampled)
    return sorted((0, 0, *sizes.values()))[-2]
