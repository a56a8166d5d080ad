"""Approximate randomisation (Noreen 1989; Riezler & Maxwell 2005): segments are swapped between systems at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING

from assay import _core
from assay.aggregate.resample import RESAMPLES, SEED, Swaps, check_draws
from assay.errors import AlignmentError
from assay.lazily import numpy as np
from assay.results.outcome import Alternative
from assay.significance import ONE_THREAD, Groups, PValue, PValues, Test, score_of, test
from assay.types import FloatArray, Scorable, Table, totals

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Randomisation", "count_as_extreme", "swapped_differences"]

_TOLERANCE = 1e-12  # relative; sums of resamples are rounded differently from the observed ones
_PRODUCT_CELLS = 1 << 22  # coins come in blocks to bound the memory that they need
_NOTHING_IN_COMMON = "the systems have no segment in common"


@test("randomisation")
@dataclass(frozen=True)
class Randomisation(Test):
    """Paired. p = (1 + number of resamples with a difference at least as high) / (1 + resamples).

    A resample swaps each segment between the systems with probability 1/2. It works for any scorable: the scores of a
    resample are those of the swapped rows.
    """

    resamples: int = RESAMPLES
    seed: int = SEED

    label = "approximate randomisation"
    is_paired = True

    def __post_init__(self) -> None:
        check_draws(self.resamples, self.seed, least=1)

    @property
    def smallest_p(self) -> float:
        """That of a difference which no resample reaches."""
        return 1 / (1 + self.resamples)

    def p_value(self, first: Scorable, second: Scorable) -> PValue:
        """One-sided: first scores higher."""
        return self.both_p_values(first, second)[0]

    def both_p_values(self, first: Scorable, second: Scorable) -> tuple[PValue, PValue]:
        """Both directions are tested on the same resamples."""
        same_kind = first.table.shape == second.table.shape and first.is_mean == second.is_mean
        if not same_kind or not _is_same_function(first.score, second.score):
            raise AlignmentError(f"'{first.systems[0]}' and '{second.systems[0]}' are not scored by the same metric")
        if not first.table.shape[1]:
            return (undefined := PValue(math.nan, _NOTHING_IN_COMMON)), undefined
        if np.array_equal(first.table, second.table):
            return PValue(1.0), PValue(1.0)
        if first.is_mean:
            at_least = self._count_means(first.table[0, :, 0] - second.table[0, :, 0])
        elif math.isnan(observed := score_of(first) - score_of(second)):
            return (undefined := PValue(math.nan, "a score is undefined")), undefined
        else:
            at_least = self._count(first, second, observed)
        return PValue((1 + at_least[0]) / (1 + self.resamples)), PValue((1 + at_least[1]) / (1 + self.resamples))

    def compare_all(self, systems: Scorable) -> PValues:
        """Means of all pairs are resampled by one product of matrices per system, with the coins that `compare` uses.

        A coin depends on the position of a segment among those of both systems, not on their number.
        """
        if not systems.is_mean:
            return super().compare_all(systems)
        return self._compare_means(systems, None, "better")

    def compare_in_groups(self, systems: Scorable, groups: Groups, alternative: Alternative = "better") -> PValues:
        """The statistic is the difference of the means of group means; all groups are swapped in each resample.

        (To combine p-values of groups would be biased: none of them can be below 1 / (1 + resamples).) Two-sided:
        p = (1 + number of resamples with a difference at least as far from 0) / (1 + resamples).
        """
        return self._compare_means(systems, groups, alternative)

    def _compare_means(self, systems: Scorable, groups: Groups | None, alternative: Alternative) -> PValues:
        values, mask = systems.table[..., 0], systems.mask
        size, segments = mask.shape
        at_least = np.zeros((size, size), dtype=np.int64)
        for coins in self._coins(max(segments, 1)):
            weights = coins[:, :segments].astype(np.float64)
            for i in range(size - 1):
                differences = _common_differences(values, mask, i, groups)
                rounding = _TOLERANCE * np.abs(differences).sum(axis=0)
                sums = weights @ differences
                if alternative == "better":
                    at_least[i, i + 1 :] += (sums <= rounding).sum(axis=0)
                    at_least[i + 1 :, i] += (sums >= -rounding).sum(axis=0)
                else:
                    observed = differences.sum(axis=0)  # a resample has the difference observed - 2 sums
                    is_as_far = np.abs(observed - 2 * sums) >= np.abs(observed) - 2 * rounding
                    at_least[i, i + 1 :] += is_as_far.sum(axis=0)
        if alternative == "two-sided":
            at_least += at_least.T
        shared = mask.astype(np.float64) @ mask.T.astype(np.float64)
        p_values = np.where(shared > 0, (1 + at_least) / (1 + self.resamples), np.nan)
        np.fill_diagonal(p_values, np.nan)
        apart = int((shared[np.triu_indices(size, k=1)] == 0).sum())
        return PValues(p_values, {_NOTHING_IN_COMMON: apart} if apart else {})

    def _count_means(self, difference: FloatArray) -> tuple[int, int]:
        """In both directions, the number of resamples with a mean difference at least as high as the observed one.

        Swapping negates a segment's difference, so the sum of the swapped differences decides.
        """
        (sums,) = Swaps(self.resamples, self.seed).sums([difference.reshape(1, -1, 1)], ONE_THREAD)
        rounding = _TOLERANCE * float(np.abs(difference).sum())
        return int((sums <= rounding).sum()), int((sums >= -rounding).sum())

    def _count(self, first: Scorable, second: Scorable, observed: float) -> tuple[int, int]:
        """As `_count_means`, for any score."""
        swapped, other_swapped = Swaps(self.resamples, self.seed).sums([first.table, second.table], ONE_THREAD)
        sums, other_sums = (totals(scorable.table, ONE_THREAD)[0] for scorable in (first, second))
        differences = swapped_differences(first.score, (sums, other_sums), (swapped[0], other_swapped[0]))
        scores = score_of(first), score_of(second)
        return (
            count_as_extreme(differences, observed, scores, "better"),
            count_as_extreme(differences, observed, scores, "worse"),
        )

    def _coins(self, segments: int) -> Iterator[npt.NDArray[np.uint32]]:
        """Blocks (resample, segment) of 0 and 1; 1 means that the segment is swapped."""
        rows = max(1, _PRODUCT_CELLS // segments)
        for begin in range(0, self.resamples, rows):
            yield _core.swap_weights(begin, min(rows, self.resamples - begin), segments, self.seed, 1)


def swapped_differences(
    score: Callable[[Table], FloatArray], sums: tuple[Table, Table], swapped: tuple[Table, Table]
) -> FloatArray:
    """The difference of two scores in each resample of swaps.

    `sums` are the totals of the two systems, `swapped` (resample, column) their sums over the swapped segments: with
    the total T and the swapped sum C of each, swapping turns the total of the first into T1 - C1 + C2.
    """
    moved = swapped[1] - swapped[0]
    differences: FloatArray = score(sums[0] + moved) - score(sums[1] - moved)
    return differences


def count_as_extreme(
    resampled: FloatArray, observed: float, scores: tuple[float, float], alternative: Alternative
) -> int:
    """The number of resampled differences at least as far from 0 as the observed one, up to rounding of the `scores`.

    Undefined ones count, so that p is never too low.
    """
    rounding = _TOLERANCE * (abs(scores[0]) + abs(scores[1]))
    if alternative == "two-sided":
        return int((~(np.abs(resampled) < abs(observed) - rounding)).sum())
    if alternative == "better":
        return int((~(resampled < observed - rounding)).sum())
    return int((~(resampled > observed + rounding)).sum())


def _common_differences(
    values: FloatArray, mask: npt.NDArray[np.bool_], system: int, groups: Groups | None = None
) -> FloatArray:
    """(segment, other): the differences of a system and each later one on their common segments, then zeros.

    With groups, each difference is divided by the number of common segments of its group: the sum over all segments is
    that of the group means.
    """
    others = range(system + 1, len(values))
    if mask[system:].all():
        differences = (values[system] - values[system + 1 :]).T
        return np.ascontiguousarray(differences * _shares(mask[system], groups)[:, np.newaxis])
    differences = np.zeros((values.shape[1], len(others)))
    for column, other in enumerate(others):
        common = mask[system] & mask[other]
        found = (values[system, common] - values[other, common]) * _shares(common, groups)[common]
        differences[: len(found), column] = found
    return differences


def _shares(common: npt.NDArray[np.bool_], groups: Groups | None) -> FloatArray:
    """How much each segment counts: as one of the common segments of its group, or 1 without groups."""
    if groups is None:
        return np.ones(len(common))
    shares: FloatArray = np.sum([group / max(int((group & common).sum()), 1) for group in groups], axis=0)
    return shares


def _is_same_function(first: Callable[..., object], second: Callable[..., object]) -> bool:
    """Whether two functions are equal; methods are if their objects are, such as two metrics with the same options."""
    if isinstance(first, MethodType) and isinstance(second, MethodType):
        return first.__func__ is second.__func__ and bool(first.__self__ == second.__self__)
    return first == second
