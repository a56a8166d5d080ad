"""Curves with cut-offs, bootstrap intervals over language pairs, and a validation on held-out campaigns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from assay.aggregate import interval
from assay.calibration.isotonic import FITS, Isotonic, Points
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations
from assay.results import CalibrationCurve, Estimate, Population, ReliabilityBin, Validation
from assay.types import FloatArray, IntArray
from assay.types.note import plural

__all__ = ["LEVELS", "fit_curve"]

LEVELS = (0.5, 0.8, 0.95)
"""The probabilities at which cut-offs are given, as in Lo et al. 2023."""

_MIN_CLUSTERS = 5  # language pairs, for an interval over them
_BINS = 10


def fit_curve(
    key: Key,
    outcome: str,
    population: Population,
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
    curve = fit.trimmed()
    replicates, reason = _replicates(points, observed, resamples, seed)
    if replicates:
        low, high = interval(np.stack([replicate(curve.x) for replicate in replicates], axis=1), confidence)
    else:
        low, high = np.full(len(curve.x), math.nan), np.full(len(curve.x), math.nan)
    fitted = CalibrationCurve(
        *key,
        outcome,
        population,
        curve.x,
        curve.y,
        low,
        high,
        curve.support,
        cutoffs={level: _cutoff(curve, level, replicates, confidence, reason) for level in LEVELS},
        base_rate=float(observed.y.mean()),
        validation=_validate(observed),
        missed=_median(observed.missed),
        reason=reason,
    )
    return replace(fitted, at={difference: fitted.probability(difference) for difference in at})


def _median(missed: FloatArray) -> Estimate:
    if not len(missed):
        return Estimate(math.nan, 0, reason="people never order a pair significantly the other way")
    return Estimate(float(np.median(missed)), len(missed))


def _replicates(points: Points, observed: Observations, resamples: int, seed: int) -> tuple[list[Isotonic], str | None]:
    """Fits to resampled language pairs: pairs of systems of one language pair share systems and judges."""
    clusters = np.unique(observed.cluster)
    if len(clusters) < _MIN_CLUSTERS:
        return [], f"no interval: {plural(len(clusters), 'language pair')}, fewer than {_MIN_CLUSTERS}"
    if not resamples:
        return [], None
    random = np.random.Generator(np.random.PCG64(seed))
    draws = random.multinomial(len(clusters), np.full(len(clusters), 1 / len(clusters)), size=resamples)
    place = np.searchsorted(clusters, observed.cluster)
    return [points.fit(observed.y, row[place].astype(np.float64)) for row in draws], None


def _cutoff(
    curve: Isotonic, level: float, replicates: list[Isotonic], confidence: float, reason: str | None
) -> Estimate:
    """The cut-off and its interval. A resample that does not reach the level has an infinite cut-off."""
    value = curve.cutoff(level)
    if math.isinf(value):
        return Estimate(math.nan, 0, reason=f"no calibration: the highest probability is {curve.y[-1]:.2f}")
    n = int(curve.support[np.searchsorted(curve.x, value)])
    if not replicates:
        return Estimate(value, n, reason=reason)
    cutoffs = np.sort([replicate.cutoff(level) for replicate in replicates])
    tail = (1 - confidence) / 2
    low, high = (float(cutoffs[round(share * (len(cutoffs) - 1))]) for share in (tail, 1 - tail))
    if math.isinf(high):
        never = int(np.isinf(cutoffs).sum())
        text = f"no interval: not reached in {never:,} of {len(cutoffs):,} resamples"
        return Estimate(value, n, reason=text)
    return Estimate(value, n, low, high)


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
