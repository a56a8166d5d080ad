"""Curves with bounds from a bootstrap over language pairs, and a validation on held-out campaigns.

A curve and its bounds are three step functions. Probabilities and cut-offs are both read from them
(`CalibrationCurve`), so they cannot contradict each other: a probability is reached from the cut-off on, not before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from assay.aggregate import interval
from assay.calibration.isotonic import FITS, Isotonic, Points
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations
from assay.resample import ClusterBootstrap
from assay.results import CalibrationCurve, Estimate, FittedPopulation, ReliabilityBin, Validation
from assay.results.calibration import LEVELS, reached
from assay.types import FloatArray, IntArray

__all__ = ["fit_curve", "with_exact_ends"]

_BINS = 10
_COUNTS_LEFT = (500, 200, 100, 50, 20, 10, 5)  # numbers of pairs beyond a point of a curve
_TOLERANCE = 0.005  # of bounds between the points of a curve


def fit_curve(
    key: Key,
    outcome: str,
    population: FittedPopulation,
    observed: Observations,
    *,
    at: Sequence[float],
    resamples: int,
    seed: int,
    confidence: float,
) -> CalibrationCurve:
    """The isotonic fit of outcomes on differences, with its probabilities at some differences."""
    points = Points.of(observed.x)
    fit = points.fit(observed.y)
    replicates, reason = _replicates(points, observed, resamples, seed)
    low = high = np.full(len(fit.x), math.nan)
    if replicates:
        low, high = interval(np.stack([replicate(fit.x) for replicate in replicates], axis=1), confidence)
        low, high = with_exact_ends(fit, low, high, confidence)
    kept = _kept(fit, [low, high] if replicates else [])
    curve = CalibrationCurve(
        *key,
        outcome,
        population,
        fit.x[kept],
        fit.y[kept],
        low[kept],
        high[kept],
        fit.support[kept],
        base_rate=float(observed.y.mean()),
        validation=_validate(observed),
        reversed=_median(observed.reversed),
        reason=reason,
    )
    return replace(curve, at={difference: curve.probability(difference) for difference in at})


def with_exact_ends(
    fit: Isotonic, low: FloatArray, high: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Bounds that reach to those of Clopper and Pearson where all pairs of a step have the outcome, or none.

    Resamples of such pairs agree, too, which is no certainty. A bound does not reach beyond that of the adjacent step,
    because the curve does not fall.
    """
    low, high = low.copy(), high.copy()
    tail = (1 - confidence) / 2
    first, after = reached(fit.y, 1.0), int(np.count_nonzero(fit.y == 0))
    if first < len(low):
        exact = tail ** (1 / fit.support[first])
        low[first:] = np.minimum(low[first:], max(exact, low[first - 1] if first else 0.0))
    if after:
        pairs, adjacent = fit.support[0], 1.0
        if after < len(high):
            pairs, adjacent = pairs - fit.support[after], high[after]
        high[:after] = np.maximum(high[:after], min(1 - tail ** (1 / pairs), adjacent))
    return low, high


def _kept(fit: Isotonic, bounds: Sequence[FloatArray]) -> npt.NDArray[np.bool_]:
    """The observed differences that a curve needs as points.

    They are both ends of its steps. At all others, its bounds differ from those at the last point by no more than the
    tolerance. Where they reach a level of the cut-offs, they are exact. Some points tell how few pairs are left.
    """
    kept = np.ones(len(fit.x), dtype=np.bool_)
    kept[1:-1] = (fit.y[1:-1] != fit.y[:-2]) | (fit.y[1:-1] != fit.y[2:])
    places = [*np.searchsorted(-fit.support, [-count for count in _COUNTS_LEFT]).tolist()]
    places += [reached(line, level) for line, level in product(bounds, LEVELS)]
    kept[[place for place in places if place < len(kept)]] = True
    last = 0
    for place in range(1, len(kept) if bounds else 0):
        kept[place] |= any(line[place] > line[last] + _TOLERANCE for line in bounds)
        last = place if kept[place] else last
    return kept


def _median(differences: FloatArray) -> Estimate:
    if not len(differences):
        return Estimate(math.nan, 0, reason="people never order a pair significantly the other way")
    return Estimate(float(np.median(differences)), len(differences))


def _replicates(points: Points, observed: Observations, resamples: int, seed: int) -> tuple[list[Isotonic], str | None]:
    """Fits to resampled language pairs."""
    clusters, place = np.unique(observed.cluster, return_inverse=True)
    weights = ClusterBootstrap(resamples, seed).weights(len(clusters))
    if isinstance(weights, str):
        return [], weights
    return [points.fit(observed.y, row[place].astype(np.float64)) for row in weights], None


def _validate(observed: Observations) -> Validation | None:
    """Predict each campaign from the others; with a single campaign, each language pair from the others."""
    by_campaign = len(np.unique(observed.campaign)) > 1
    folds = observed.campaign if by_campaign else observed.cluster
    if len(np.unique(folds)) < 2:
        return None
    predictions: dict[str, FloatArray] = {name: np.empty(len(observed)) for name in FITS}
    floor = np.empty(len(observed))
    for held_out, training in _folds(folds):
        x, y = observed.x[training], observed.y[training]
        floor[held_out] = 1 / (len(training) + 2)
        for name, fit in FITS.items():
            predictions[name][held_out] = fit(x, y)(observed.x[held_out])
    return Validation(
        "campaign" if by_campaign else "language pair",
        {name: float(((p - observed.y) ** 2).mean()) for name, p in predictions.items()},
        {name: _log_loss(np.clip(p, floor, 1 - floor), observed.y) for name, p in predictions.items()},
        tuple(_bins(predictions["isotonic"], observed.y)),
        len(observed),
    )


def _folds(labels: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    for label in np.unique(labels):
        yield np.flatnonzero(labels == label), np.flatnonzero(labels != label)


def _log_loss(p: FloatArray, outcomes: FloatArray) -> float:
    return float(-(outcomes * np.log(p) + (1 - outcomes) * np.log(1 - p)).mean())


def _bins(predicted: FloatArray, outcomes: FloatArray) -> Iterator[ReliabilityBin]:
    """The reliability curve: pairs in bins of equal width of the prediction."""
    place = np.minimum((predicted * _BINS).astype(np.int64), _BINS - 1)
    for number in np.unique(place):
        within = place == number
        yield ReliabilityBin(float(predicted[within].mean()), float(outcomes[within].mean()), int(within.sum()))
