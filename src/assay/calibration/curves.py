"""Curves with bounds from a bootstrap over language pairs, and a validation on held-out campaigns.

A curve and its bounds are three step functions. Probabilities and cut-offs are both read from them
(`CalibrationCurve`), so they cannot contradict each other: a probability is reached from the cut-off on, not before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING

from assay.aggregate import interval
from assay.aggregate.resample import ClusterBootstrap
from assay.calibration.effective_sample import independent_pairs
from assay.calibration.isotonic import Isotonic, Points, fit_isotonic
from assay.calibration.options import Key
from assay.calibration.outcomes import Observations
from assay.calibration.rival_fits import FITS
from assay.calibration.validation import Drawing, folds_of, left_out_in_turn, log_loss, reliability_bins, squared_error
from assay.lazily import numpy as np
from assay.results import CalibrationCurve, Estimate, FittedPopulation, LeftOutFold, Validation
from assay.results.calibration import LEVELS, reached
from assay.significance.proportions import exact_bounds
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["check_curve", "fit_curve"]

_COUNTS_LEFT = (500, 200, 100, 50, 20, 10, 5)  # numbers of pairs beyond a point of a curve
_TOLERANCE = 0.005  # of bounds between the points of a curve


def fit_curve(
    key: Key,
    outcome: str,
    population: FittedPopulation,
    observed: Observations,
    *,
    pooled: Observations | None = None,
    steps: Isotonic | None = None,
    at: Sequence[float],
    drawing: Drawing,
) -> CalibrationCurve:
    """The isotonic fit of outcomes on differences, with its probabilities at some differences.

    Its bounds are those of a bootstrap over language pairs or of Clopper and Pearson for as many pairs as have no
    system in common, whichever are wider; with few language pairs only the latter. `pooled` has the pairs of all
    languages and kinds, if the curve is of a part of them. `steps`: a fit to other outcomes of the same pairs, on whose
    steps these and opposite preferences are counted, so that curves of several outcomes rest on as many.
    """
    points = Points.of(observed.x)
    fit = points.fit(observed.y)
    common = fit if steps is None else steps
    independent = _independent(common, observed)
    low, high = exact_bounds(fit.y, independent, drawing.tail)
    if replicates := _replicates(points, observed, drawing):
        bounds = interval(np.stack([replicate(fit.x) for replicate in replicates], axis=1), drawing.confidence)
        low, high = np.minimum(low, bounds[0]), np.maximum(high, bounds[1])
    # The curve does not fall, so a bound of a smaller difference from below, or of a larger one from above, holds, too.
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    kept = _kept(fit, [low, high], independent) | _are_ends(common)
    curve = CalibrationCurve(
        *key,
        outcome,
        population,
        fit.x[kept],
        fit.y[kept],
        low[kept],
        high[kept],
        fit.support[kept],
        points.count_from(observed.opposite)[kept],
        independent[kept],
        base_rate=float(observed.y.mean()),
        validation=_validate(observed, pooled),
        reversed=_median(np.abs(observed.x[observed.opposite > 0])),
        common=None if steps is None else steps.y[kept],
    )
    return replace(curve, at={difference: curve.probability(difference) for difference in at})


def _independent(fit: Isotonic, observed: Observations) -> IntArray:
    """For each point of a fit, the pairs of its step without a system in common."""
    starts = np.flatnonzero(np.diff(fit.y, prepend=-1.0))
    counts = np.empty(len(fit.x), dtype=np.int64)
    for first, after in pairwise([*starts.tolist(), len(fit.x)]):
        last = fit.x[after] if after < len(fit.x) else math.inf
        counts[first:after] = independent_pairs(observed.systems[(observed.x >= fit.x[first]) & (observed.x < last)])
    return counts


def _kept(fit: Isotonic, bounds: Sequence[FloatArray], independent: IntArray) -> npt.NDArray[np.bool_]:
    """The observed differences that a curve needs as points.

    They are both ends of its steps, and where another number of independent pairs begins. At all others, its bounds
    differ from those at the last point by no more than the tolerance. Where they reach a level of the cut-offs, they
    are exact. Some points tell how few pairs are left.
    """
    kept = np.ones(len(fit.x), dtype=np.bool_)
    kept &= _are_ends(fit)
    kept[1:] |= independent[1:] != independent[:-1]
    places = [*np.searchsorted(-fit.support, [-count for count in _COUNTS_LEFT]).tolist()]
    places += [reached(line, level) for line, level in product(bounds, LEVELS)]
    kept[[place for place in places if place < len(kept)]] = True
    last = 0
    for place in range(1, len(kept)):
        kept[place] |= any(line[place] > line[last] + _TOLERANCE for line in bounds)
        last = place if kept[place] else last
    return kept


def _are_ends(fit: Isotonic) -> npt.NDArray[np.bool_]:
    """Which points are ends of the steps of a fit."""
    are_ends = np.ones(len(fit.x), dtype=np.bool_)
    are_ends[1:-1] = (fit.y[1:-1] != fit.y[:-2]) | (fit.y[1:-1] != fit.y[2:])
    return are_ends


def _median(differences: FloatArray) -> Estimate:
    if not len(differences):
        return Estimate(math.nan, 0, reason="people never order a pair significantly the other way")
    return Estimate(float(np.median(differences)), len(differences))


def _replicates(points: Points, observed: Observations, drawing: Drawing) -> list[Isotonic]:
    """Fits to resampled language pairs; none if they are too few to be drawn."""
    clusters, place = np.unique(observed.cluster, return_inverse=True)
    weights = ClusterBootstrap(drawing.resamples, drawing.seed).weights(len(clusters))
    if isinstance(weights, str):
        return []
    return [points.fit(observed.y, row[place].astype(np.float64)) for row in weights]


def _validate(observed: Observations, pooled: Observations | None) -> Validation | None:
    """Predict each campaign from the others; with a single campaign, each language pair from the others."""
    unit, folds = folds_of(observed.campaign, observed.cluster)
    splits = list(left_out_in_turn(folds))
    if not splits:
        return None
    predictions: dict[str, FloatArray] = {name: np.empty(len(observed)) for name in FITS}
    floor = np.empty(len(observed))
    for training, held_out in splits:
        x, y = observed.x[training], observed.y[training]
        floor[held_out] = 1 / (len(training) + 2)
        for name, fit in FITS.items():
            predictions[name][held_out] = fit(x, y)(observed.x[held_out])
    if pooled is not None:
        predictions["pooled"] = _pooled_predictions(observed, pooled, unit)
    found = _validation(unit, predictions, floor, observed)
    names = np.array([name if unit == "campaign" else f"{name} {lp}" for name, lp in observed.clusters])
    parts = [
        LeftOutFold(
            str(names[observed.cluster[rows[0]]]),
            float(predictions["isotonic"][rows].mean()),
            float(observed.y[rows].mean()),
            len(rows),
        )
        for _, rows in splits
    ]
    return replace(found, folds=tuple(parts))


def _pooled_predictions(observed: Observations, pooled: Observations, unit: str) -> FloatArray:
    """Predictions for what is left out in turn by all other pairs, of all languages and kinds."""
    predictions = np.empty(len(observed))
    own, of_all = (_fold_names(each, unit) for each in (observed, pooled))
    for name in np.unique(own):
        fit = fit_isotonic(pooled.x[of_all != name], pooled.y[of_all != name])
        predictions[own == name] = fit(observed.x[own == name])
    return predictions


def _fold_names(observed: Observations, unit: str) -> npt.NDArray[np.str_]:
    """What each pair is left out with: its campaign, or its language pair there."""
    if unit == "campaign":
        return observed.campaign
    return np.array([" ".join(names) for names in observed.clusters])[observed.cluster]


def check_curve(curve: CalibrationCurve, observed: Observations, campaign: str) -> CalibrationCurve:
    """The curve with what it predicts of the pairs of another campaign, and what people said there.

    Pairs beyond the differences that the curve was fitted on have no prediction and do not count.
    """
    predicted = np.array([curve.probability(x).value for x in observed.x])
    counted = observed.take(np.flatnonzero(~np.isnan(predicted)))
    predicted = predicted[~np.isnan(predicted)]
    if not len(counted):
        return curve
    rivals = {"isotonic": predicted, "constant": np.full(len(counted), curve.base_rate)}
    floor = 1 / (curve.population.pairs + 2)
    return replace(curve, check=_validation(campaign, rivals, floor, counted))


def _validation(
    held_out: str, predictions: Mapping[str, FloatArray], floor: FloatArray | float, observed: Observations
) -> Validation:
    """The errors of predictions; for the log loss, they are no closer to 0 and 1 than the floor."""
    return Validation(
        held_out,
        {name: float(squared_error(p, observed.y).mean()) for name, p in predictions.items()},
        {name: log_loss(np.clip(p, floor, 1 - floor), observed.y) for name, p in predictions.items()},
        tuple(reliability_bins(predictions["isotonic"], observed.y, observed.opposite)),
        len(observed),
    )
