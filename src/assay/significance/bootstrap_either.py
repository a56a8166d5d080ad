"""Two bootstrap tests of the difference of two means, of which the lower p-value counts: how WMT26 ranked systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.aggregate.resample import MAX_RESAMPLES, MAX_SEED, RESAMPLES, SEED, Bootstrap
from assay.lazily import numpy as np
from assay.options.checks import check_integer
from assay.significance import ONE_THREAD, PValue, Test, test, values_of_segments
from assay.types import FloatArray, Scorable

__all__ = ["BootstrapEither"]

_FEWEST = 2  # values of a sample
_TOLERANCE = 1e-12  # relative; means of resamples are rounded differently from the observed one


@test("bootstrap-either")
@dataclass(frozen=True)
class BootstrapEither(Test):
    """The lower p-value of two: of the paired differences, and of all values of either system, as if unpaired.

    Each is the level at which the lower bound of the BCa interval (Efron 1987) reaches 0. With two chances to be
    significant, p is too low.
    """

    resamples: int = RESAMPLES
    seed: int = SEED

    label = "bootstrap, paired or unpaired"
    is_paired = False
    keeps_level = False

    def __post_init__(self) -> None:
        check_integer("resamples", self.resamples, 1, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED - 1)

    def p_value(self, first: Scorable, second: Scorable) -> PValue:
        """One-sided: first scores higher."""
        return self.both_p_values(first, second)[0]

    def both_p_values(self, first: Scorable, second: Scorable) -> tuple[PValue, PValue]:
        """Both directions are tested on the same resamples."""
        values, others = values_of_segments(self, first), values_of_segments(self, second)
        samples = _without_gaps(values[0]), _without_gaps(others[0])
        if min(map(len, samples)) < _FEWEST:
            return (undefined := PValue(math.nan, "a system has fewer than two segments")), undefined
        if np.array_equal(values, others, equal_nan=True):
            return PValue(1.0), PValue(1.0)
        paired = _without_gaps((values - others)[0]) if values.shape == others.shape else np.empty(0)
        found = [each for each in (self._difference([paired]), self._unpaired(*samples)) if each is not None]
        if not found:
            return (undefined := PValue(math.nan, "the scores do not vary")), undefined
        return PValue(min(each.p_value() for each in found)), PValue(min(each.negated().p_value() for each in found))

    def _unpaired(self, first: FloatArray, second: FloatArray) -> _Difference | None:
        """The higher of two samples is drawn first, so that the p-values do not depend on their order."""
        if (first.mean(), *first) >= (second.mean(), *second):
            return self._difference((first, second))
        opposite = self._difference((second, first))
        return None if opposite is None else opposite.negated()

    def _difference(self, samples: Sequence[FloatArray]) -> _Difference | None:
        """The mean of a sample, or the first mean minus the second; None if nothing varies."""
        deviations = [sample - sample.mean() for sample in samples if len(sample) >= _FEWEST]
        if not any(deviation.any() for deviation in deviations):
            return None
        signs = (1.0, -1.0)[: len(samples)]
        observed = float(sum(sign * sample.mean() for sign, sample in zip(signs, samples, strict=True)))
        rounding = _TOLERANCE * sum(float(np.abs(sample).mean()) for sample in samples)
        replicates = np.zeros(self.resamples)
        for number, (sign, sample) in enumerate(zip(signs, samples, strict=True)):
            draws = Bootstrap(self.resamples, None, self.seed + number)  # samples are drawn independently
            (sums,) = draws.sums([sample.reshape(1, -1, 1)], ONE_THREAD)
            replicates += sign * sums[0, :, 0] / len(sample)
        for value in (observed, 0.0):
            replicates[np.abs(replicates - value) <= rounding] = value
        cubes, squares = (
            sum(
                sign**power * (own**power).sum() / len(own) ** power
                for sign, own in zip(signs, deviations, strict=True)
            )
            for power in (3, 2)
        )
        return _Difference(observed, replicates, float(cubes / squares**1.5 / 6))


@dataclass(frozen=True, slots=True, eq=False)
class _Difference:
    """A difference of means, those of resamples, and the acceleration: how its variance changes with its size."""

    observed: float
    replicates: FloatArray
    acceleration: float

    def negated(self) -> _Difference:
        """That of the second mean minus the first."""
        return _Difference(-self.observed, -self.replicates, -self.acceleration)

    def p_value(self) -> float:
        """The level whose lower BCa bound is 0: the formula of the bound, solved for the level."""
        from scipy.special import ndtr, ndtri  # slow to import

        def quantile(share: float) -> float:
            """Of a share of resamples, which is not taken as 0 or 1."""
            return float(ndtri((1 + share * len(self.replicates)) / (2 + len(self.replicates))))

        bias = quantile(float((self.replicates < self.observed).mean() + (self.replicates <= self.observed).mean()) / 2)
        shifted = quantile(float((self.replicates <= 0).mean())) - bias
        slope = 1 + self.acceleration * shifted
        if slope <= 0:  # beyond what the formula describes: as far in the tail as can be
            return 1.0 if shifted > 0 else 1 / (1 + len(self.replicates))
        return float(ndtr(shifted / slope - bias))


def _without_gaps(values: FloatArray) -> FloatArray:
    return values[~np.isnan(values)]
