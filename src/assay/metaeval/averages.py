"""The average of an agreement over language pairs, and its interval.

Language pairs are taken as fixed, and their resamples as independent: the interval says how far the average could move
if the systems, segments or judgements of every pair were others, not if there were other pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from assay.aggregate import interval
from assay.aggregate.unit_intervals import expanded_confidence
from assay.lazily import numpy as np
from assay.metaeval.intervals import EQUAL
from assay.options.option import STATISTICS, Option
from assay.results import Agreement, Estimate, IntervalBasis
from assay.types import FloatArray
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "AVERAGES_OVER_PAIRS",
    "OverPairs",
    "average_over_pairs",
    "combined_bounds",
    "merged_basis",
    "pair_weights",
]

AVERAGES_OVER_PAIRS = ("mean", "pooled")
OverPairs = Annotated[
    str,
    Option(
        "Average over language pairs: mean, or pooled by weight.",
        group=STATISTICS,
        choices=AVERAGES_OVER_PAIRS,
        metavar="NAME",
    ),
]


def average_over_pairs(agreements: Mapping[str, Agreement | None], *, is_pooled: bool) -> Estimate:
    """The average over all language pairs; undefined if one of them has no value.

    A pooled average weights each language pair by its number of system pairs, or else by the weight of the statistic.
    """
    defined = [cell for cell in agreements.values() if cell is not None and not math.isnan(cell.value)]
    if len(defined) < len(agreements):
        absent = [label for label, cell in agreements.items() if cell not in defined]
        return Estimate(math.nan, len(defined), reason=f"no value for {', '.join(absent)}")
    weights = np.array(pair_weights(defined, is_pooled=is_pooled))
    total = math.fsum(weights)
    value = math.fsum(weight * cell.value for weight, cell in zip(weights.tolist(), defined, strict=True)) / total
    return _with_interval(Estimate(value, len(defined)), defined, weights / total)


def pair_weights(agreements: Sequence[Agreement], *, is_pooled: bool) -> list[float]:
    """The weights of language pairs: by their pairs of systems, or else by the weight of the statistic; or equal."""
    if not is_pooled:
        return [1.0] * len(agreements)
    return [each.weight if each.pairs is None else float(each.pairs) for each in agreements]


def _with_interval(average: Estimate, cells: Sequence[Agreement], shares: FloatArray) -> Estimate:
    """The average with an interval from the draws of all pairs, or from their intervals where nothing is drawn."""
    bases = [cell.estimate.basis for cell in cells]
    given = [basis for basis in bases if basis is not None]
    if not given:
        return average
    resampled = [cell.replicates for cell in cells if cell.replicates is not None]
    if len(resampled) == len(cells) and len({len(replicates) for replicates in resampled}) == 1:
        return _from_joint_draws(average, given, _joint_draws(resampled, shares))
    intervals = np.array([cell.interval for cell in cells])
    if np.isnan(intervals).any():
        return Estimate(average.value, average.n, reason="no interval: a language pair has none")
    low, high = combined_bounds(np.array([cell.value for cell in cells]), intervals, shares)
    return Estimate(average.value, average.n, low, high, basis=merged_basis(given))


def _joint_draws(resampled: Sequence[FloatArray], shares: FloatArray) -> FloatArray:
    """The average in each joint draw, which takes one resample of every pair.

    Resamples of the same number come from the same random numbers, so the resamples of each pair are shifted by one
    more than those of the pair before: then all resamples in a joint draw are independent.
    """
    draws = np.zeros(len(resampled[0]))
    for shift, (share, replicates) in enumerate(zip(shares, resampled, strict=True)):
        draws += share * np.roll(replicates, shift)
    return draws


def _from_joint_draws(average: Estimate, bases: Sequence[IntervalBasis], draws: FloatArray) -> Estimate:
    defined = draws[~np.isnan(draws)]
    undefined = len(draws) - len(defined)
    basis = merged_basis(bases, undefined)
    if not len(defined) or np.ptp(defined) <= EQUAL:
        why = "every resample has the same value" if len(defined) else "no resample has a value"
        return Estimate(average.value, average.n, reason=f"no interval: {why}", basis=basis)
    level = basis.confidence if basis.effective is None else expanded_confidence(basis.confidence, basis.effective)
    low, high = map(float, interval(defined, level))
    reason = f"undefined in {undefined} of {plural(len(draws), 'resample')}" if undefined else None
    return Estimate(average.value, average.n, low, high, float(defined.std(ddof=1)), reason, basis=basis)


def combined_bounds(values: FloatArray, bounds: npt.NDArray[np.float64], shares: FloatArray) -> tuple[float, float]:
    """The interval of a weighted sum of independent values, from the interval of each (Zou 2007, eq. 15).

    The squared distances to the bounds are estimates of variances near the bounds, and add up like variances.
    """
    total = math.fsum(shares * values)
    below, above = (np.abs(values - bounds[:, side]) for side in (0, 1))
    return total - math.hypot(*(shares * below)), total + math.hypot(*(shares * above))


def merged_basis(bases: Sequence[IntervalBasis], undefined: int = 0) -> IntervalBasis:
    """What the interval of an average rests on; its units are those of all pairs."""
    first = bases[0]
    method = "+".join(dict.fromkeys(basis.method for basis in bases))
    n, effective = sum(basis.n for basis in bases), [basis.effective for basis in bases if basis.effective is not None]
    return IntervalBasis(
        *(method, first.confidence, n, first.resamples, undefined, first.seed),
        effective=sum(effective) if len(effective) == len(bases) else None,
    )
