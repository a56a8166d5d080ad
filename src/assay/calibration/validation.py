"""Predictions of what a fit has not seen, and their errors: campaigns are left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from assay.aggregate import interval
from assay.aggregate.resample import CONFIDENCE, SEED, ClusterBootstrap
from assay.lazily import numpy as np
from assay.results import Estimate, ReliabilityBin
from assay.results.calibration import bin_number
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "RESAMPLES",
    "Drawing",
    "Fitter",
    "clustered_mean",
    "folds_of",
    "left_out_errors",
    "left_out_in_turn",
    "log_loss",
    "reliability_bins",
    "squared_error",
]

RESAMPLES = 200
"""Of the language pairs, for intervals."""

_Place = TypeVar("_Place")
Fitter: TypeAlias = "Callable[[npt.NDArray[np.intp], npt.NDArray[np.intp]], FloatArray]"
"""From the places of a training set and of what is left out to the squared errors of the latter's predictions."""


def folds_of(
    campaigns: npt.NDArray[np.str_], clusters: npt.NDArray[np.int64]
) -> tuple[str, npt.NDArray[np.str_] | npt.NDArray[np.int64]]:
    """What is left out in turn: each campaign or, with a single one, each language pair (cluster)."""
    if len(np.unique(campaigns)) > 1:
        return "campaign", campaigns
    return "language pair", clusters


def left_out_in_turn(
    folds: npt.NDArray[np.str_] | npt.NDArray[np.int64],
) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """For each fold, the places of the others and its own; nothing for a single fold."""
    names = np.unique(folds)
    for name in names if len(names) > 1 else ():
        yield np.flatnonzero(folds != name), np.flatnonzero(folds == name)


def squared_error(predicted: FloatArray, outcomes: FloatArray) -> FloatArray:
    """Of each prediction; if an outcome is a share of several trials, the mean over them."""
    errors: FloatArray = (predicted - outcomes) ** 2 + outcomes * (1 - outcomes)
    return errors


def log_loss(predicted: FloatArray, outcomes: FloatArray) -> float:
    """The mean over predictions that are neither 0 nor 1."""
    return float(-(outcomes * np.log(predicted) + (1 - outcomes) * np.log(1 - predicted)).mean())


def left_out_errors(
    fits: Mapping[_Place, Fitter], folds: npt.NDArray[np.str_] | npt.NDArray[np.int64]
) -> dict[_Place, float]:
    """The sums of the squared errors of fits on what is left out in turn; 0 if nothing can be."""
    totals = dict.fromkeys(fits, 0.0)
    for training, left_out in left_out_in_turn(folds):
        for name, fit in fits.items():
            totals[name] += float(fit(training, left_out).sum())
    return totals


@dataclass(frozen=True, slots=True)
class Drawing:
    """How language pairs are resampled for intervals."""

    resamples: int
    seed: int
    confidence: float

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Drawing:
        """As in the settings of a calibration."""
        resamples, seed = int(settings.get("resamples", RESAMPLES)), int(settings.get("seed", SEED))
        return cls(resamples, seed, float(settings.get("confidence", CONFIDENCE)))

    @property
    def tail(self) -> float:
        """The probability that each bound of an interval may be wrong."""
        return (1 - self.confidence) / 2


def clustered_mean(values: FloatArray, clusters: npt.NDArray[np.int64], drawing: Drawing) -> Estimate:
    """The mean, with the percentile interval over resampled clusters, if they are enough to be drawn."""
    value = float(values.mean())
    names, place = np.unique(clusters, return_inverse=True)
    weights = ClusterBootstrap(drawing.resamples, drawing.seed).weights(len(names))
    if isinstance(weights, str):
        return Estimate(value, len(values), reason=weights)
    totals, counts = (np.bincount(place, each) for each in (values, np.ones(len(values))))
    low, high = interval((weights @ totals) / (weights @ counts), drawing.confidence)
    return Estimate(value, len(values), float(low), float(high))


def reliability_bins(predicted: FloatArray, outcomes: FloatArray, opposite: FloatArray) -> Iterator[ReliabilityBin]:
    """The reliability curve: predictions in bins of equal width, with what happened."""
    place = np.array([bin_number(each) for each in predicted.tolist()])
    for number in np.unique(place):
        within = place == number
        prediction, share, other = (float(values[within].mean()) for values in (predicted, outcomes, opposite))
        yield ReliabilityBin(prediction, share, other, int(within.sum()))
