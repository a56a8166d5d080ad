"""What a test says of two systems, and p-values that no resample reached: the true ones are only known to be lower."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, overload

from assay.lazily import numpy as np
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Alternative", "Outcome", "RankingAlternative", "are_bounds", "is_significant"]

Alternative = Literal["two-sided", "better", "worse"]
"""What a small p-value is evidence for: the two systems differ; the first is better; the first is worse."""
RankingAlternative = Literal["better", "two-sided"]
"""The same of a ranking, which tests each pair in both orders."""

_ROUNDING = 1e-9  # relative


class Outcome(StrEnum):
    """What a test, corrected for the number of pairs, says of the first of two systems at the level alpha."""

    BETTER = "better"
    """The first system is shown to be better; higher or lower scores, as the metric has it."""
    WORSE = "worse"
    TIED = "tied"
    """Both have the same score in every segment, as a system and its copy do."""
    OPPOSED = "opposed"
    """The test rejects, but points to the other system than the difference: ranks may, where means do not."""
    NOT_SHOWN = "not shown"
    """No difference is shown, which does not mean that there is none."""
    UNDEFINED = "undefined"
    """There is no p-value; the reason of the difference says why."""

    @classmethod
    def of(cls, favour: float, p: float, alpha: float, *, is_tied: bool = False, is_opposed: bool = False) -> Outcome:
        """What a difference in favour of the first system and its p-value show.

        A p-value is no evidence of a difference of 0 (sacreBLEU's p of a copy is its smallest), nor of one that the
        test has the other way round.
        """
        if math.isnan(p):
            return cls.UNDEFINED
        if favour == 0 or not is_significant(p, alpha):
            return cls.TIED if is_tied else cls.NOT_SHOWN
        if is_opposed:
            return cls.OPPOSED
        return cls.BETTER if favour > 0 else cls.WORSE

    @property
    def shows_difference(self) -> bool:
        """Whether one system is shown to be better."""
        return self in (Outcome.BETTER, Outcome.WORSE)

    def reversed(self) -> Outcome:
        """The same of the second system."""
        return {Outcome.BETTER: Outcome.WORSE, Outcome.WORSE: Outcome.BETTER}.get(self, self)


@overload
def is_significant(p: float, alpha: float) -> bool: ...


@overload
def is_significant(p: FloatArray, alpha: float) -> npt.NDArray[np.bool_]: ...


def is_significant(p: float | FloatArray, alpha: float) -> bool | npt.NDArray[np.bool_]:
    """Whether p is below alpha, as in sacreBLEU and the WMT tasks: p = alpha does not count, nor does NaN."""
    return p < alpha


def are_bounds(p_values: FloatArray | float, smallest: FloatArray | float) -> npt.NDArray[np.bool_]:
    """Where p is the smallest that the test can give, so that the true one is at most as high.

    A test without a smallest one (0) has no bounds, also where p is too low for a number and therefore 0.
    """
    lowest = np.asarray(smallest)
    return np.asarray((lowest > 0) & (np.asarray(p_values) <= lowest * (1 + _ROUNDING)))
