"""Isotonic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Isotonic", "Points", "fit_isotonic"]

_DECIMALS = 9


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """A non-decreasing step function: `y` from each `x` (ascending) to the next one."""

    x: FloatArray
    y: FloatArray
    support: IntArray
    """The number of pairs that differ at least as much as each point."""

    def __call__(self, differences: FloatArray) -> FloatArray:
        """The values at differences; below the observed ones, that of the smallest."""
        place = np.searchsorted(self.x, differences, side="right") - 1
        values: FloatArray = self.y[np.maximum(place, 0)]
        return values


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Differences in ascending order, each once, with the pairs that have it."""

    x: FloatArray
    place: npt.NDArray[np.intp]
    """For each pair, the place of its difference in `x`."""

    @classmethod
    def of(cls, differences: FloatArray) -> Points:
        """The distinct differences of pairs."""
        x, place = np.unique(differences, return_inverse=True)
        return cls(x, place)

    def fit(self, outcomes: FloatArray, weights: FloatArray | None = None) -> Isotonic:
        """The isotonic fit to the outcomes of the pairs; a pair of weight 0 does not count."""
        from scipy.optimize import isotonic_regression  # slow to import

        weights = np.ones(len(outcomes)) if weights is None else weights
        total = np.bincount(self.place, weights, len(self.x))
        hits = np.bincount(self.place, weights * outcomes, len(self.x))
        counted = total > 0
        fitted = isotonic_regression(hits[counted] / total[counted], weights=total[counted])
        support = total[counted][::-1].cumsum()[::-1].astype(np.int64)
        return Isotonic(self.x[counted], np.asarray(fitted.x), support)

    def count_from(self, marked: FloatArray) -> IntArray | FloatArray:
        """For each difference, the number of marked pairs (1, others 0) that differ at least as much.

        If pairs are marked in a share of samples only, it need not be whole.
        """
        counts = np.bincount(self.place, marked, len(self.x))[::-1].cumsum()[::-1]
        are_whole = bool((marked == marked.round()).all())
        return counts.astype(np.int64) if are_whole else np.maximum(counts.round(_DECIMALS), 0.0)


def fit_isotonic(differences: FloatArray, outcomes: FloatArray) -> Isotonic:
    """The non-decreasing curve with the least squared error."""
    return Points.of(differences).fit(outcomes)
