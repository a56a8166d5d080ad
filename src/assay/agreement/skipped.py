"""The skipped correlation (Wilcox 2004): a correlation without items that are outliers in both scores together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

from assay.agreement import CORRELATION, Batch, Statistic, Values, statistic
from assay.agreement.pearson import Pearson
from assay.agreement.spearman import Spearman
from assay.lazily import numpy as np
from assay.options.checks import check_choice
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Skipped"]

_Correlation = Literal["pearson", "spearman"]
_Center = Literal["mcd", "median"]
_MIN_ITEMS = 5
_MAD = 1.4826  # makes the median absolute deviation of a normal distribution its standard deviation
_CHI2_HALF, _CHI2_975 = 1.3862943611198906, 7.377758908227871  # quantiles of chi2 with 2 degrees of freedom
_MAX_STARTS = 100
_KEPT_STARTS = 10
_STEPS = 50  # hardly ever more than five are needed
_ROUNDING = 1e-9


@statistic("skipped")
@dataclass(frozen=True)
class Skipped(Statistic):
    """The correlation of the items that no projection shows as outliers.

    All items are projected on the lines from a robust center through each item. An item is an outlier if, on one of the
    lines, its distance from the center exceeds the median distance by more than 2.716 times the interquartile range.
    """

    correlation: _Correlation = "pearson"
    center: _Center = "mcd"
    standardize: bool = True

    label = "Skipped correlation"
    agreement = CORRELATION
    levels = frozenset({"system"})

    def __post_init__(self) -> None:
        check_choice("correlation", self.correlation, get_args(_Correlation))
        check_choice("center", self.center, get_args(_Center))

    def compute(self, batch: Batch) -> Values:
        self.refuse_pairs(batch)
        kept = np.zeros_like(batch.mask)
        for k, mask in enumerate(batch.mask):
            points = np.column_stack([batch.metric[k][mask], batch.human[k][mask]])
            if (is_kept := self._kept(points)) is not None:
                kept[k, mask] = is_kept
        statistic = Pearson() if self.correlation == "pearson" else Spearman()
        found = statistic.compute(Batch(batch.metric, batch.human, kept))
        reason = f"there are fewer than {_MIN_ITEMS} items, more than half have the same score, or those left do"
        skipped = int((batch.mask & ~kept).sum())
        details = (("skipped items", str(skipped)),) if len(kept) == 1 and kept.any() else ()
        return replace(found, weights=batch.sizes.astype(np.float64), reason=reason, details=details)

    def _kept(self, points: FloatArray) -> npt.NDArray[np.bool_] | None:
        """Which points are not outliers; None if that is undefined."""
        if len(points) < _MIN_ITEMS:
            return None
        median = np.median(points, axis=0)
        scale = _MAD * np.median(np.abs(points - median), axis=0)
        if (scale == 0).any():
            return None
        if self.standardize:
            points, median = (points - median) / scale, np.zeros(2)
        center = median if self.center == "median" else _mcd_center(points)
        from_center = points - (median if center is None else center)
        lengths = np.sqrt((from_center**2).sum(axis=1))
        lines = from_center[lengths > 0] / lengths[lengths > 0, np.newaxis]
        distances = np.abs(lines @ from_center.T)  # (line, point)
        limits = np.median(distances, axis=1) + np.sqrt(_CHI2_975) * _ideal_range(distances)
        is_kept: npt.NDArray[np.bool_] = ~(distances > limits[:, np.newaxis] * (1 + _ROUNDING)).any(axis=0)
        return is_kept


def _ideal_range(values: FloatArray) -> FloatArray:
    """The interquartile range of each row, between the ideal fourths."""
    n = values.shape[-1]
    ordered = np.sort(values, axis=-1)
    place, share = divmod(n / 4 + 5 / 12, 1)
    j = int(place)
    low = (1 - share) * ordered[..., j - 1] + share * ordered[..., j]
    high = (1 - share) * ordered[..., n - j] + share * ordered[..., n - j - 1]
    difference: FloatArray = high - low
    return difference


def _mcd_center(points: FloatArray) -> FloatArray | None:
    """The reweighted minimum covariance determinant's location; None if more than half of the points are on a line.

    FAST-MCD (Rousseeuw & Van Driessen 1999) from triples of points: of all, or of 100 evenly spaced ones.
    """
    size = -(-(len(points) + 3) // 2)
    triples = np.array(list(combinations(range(len(points)), 3)))
    if len(triples) > _MAX_STARTS:
        triples = triples[np.linspace(0, len(triples) - 1, _MAX_STARTS).astype(np.int64)]
    means, covariances, determinants = _moments(points[triples])
    chosen = np.flatnonzero(determinants > 0)
    if not len(chosen):
        return None
    means, covariances = means[chosen], covariances[chosen]
    for step in range(_STEPS):
        nearest = np.argpartition(_squared_distances(points, means, covariances), size - 1, axis=1)[:, :size]
        before = determinants
        means, covariances, determinants = _moments(points[nearest])
        if (determinants <= 0).any():
            return None
        if step == 1:
            best = np.argsort(determinants, kind="stable")[:_KEPT_STARTS]
            means, covariances, determinants = means[best], covariances[best], determinants[best]
        elif step > 1 and (determinants == before).all():
            break
    best_one = int(determinants.argmin())
    squared = _squared_distances(points, means[[best_one]], covariances[[best_one]])[0]
    consistent = squared * _CHI2_HALF / np.median(squared)
    center: FloatArray = points[consistent < _CHI2_975].mean(axis=0)
    return center


def _moments(subsets: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means, covariances and their determinants of some sets of points; a determinant is 0 if it is rounding error."""
    means = subsets.mean(axis=1)
    deviations = subsets - means[:, np.newaxis]
    covariances = np.einsum("sik,sil->skl", deviations, deviations) / subsets.shape[1]
    product = covariances[:, 0, 0] * covariances[:, 1, 1]
    determinants = product - covariances[:, 0, 1] ** 2
    return means, covariances, np.where(determinants > 1e-12 * product, determinants, 0.0)


def _squared_distances(points: FloatArray, means: FloatArray, covariances: FloatArray) -> FloatArray:
    """Mahalanobis distances (set, point)."""
    deviations = points[np.newaxis] - means[:, np.newaxis]
    x, y = deviations[..., 0], deviations[..., 1]
    (xx, xy), (_, yy) = np.moveaxis(covariances, 0, -1)[..., np.newaxis]
    distances: FloatArray = (yy * x * x - 2 * xy * x * y + xx * y * y) / (xx * yy - xy * xy)
    return distances
