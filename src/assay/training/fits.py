"""Fits of a model to preferences: each gives a path of models, from the simplest setting to the most flexible one.

No sum uses BLAS, so that a fit is the same on any number of threads. All scores are logits: `on_logit_scale` makes the
logistic function of a difference of scores the probability of a preference in training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from assay.lazily import numpy as np
from assay.logistic import fit_logistic
from assay.results.trained_model import LinearModel, TrainedModel, TreeModel
from assay.training.boosting import STAGES, boosted_trees
from assay.types import FloatArray, IntArray

__all__ = ["MODELS", "Fitted", "TrainingSet", "fit_path"]

_PENALTIES = (1.0, 0.1, 0.01, 0.001, 0.0001)
_CONSTANT = 1e-12  # standard deviations of a feature that are rounding
_MAX_FACTOR = 1e3
_CLIPPED = 0.005  # the share of outputs beyond each bound of a feature


@dataclass(frozen=True, slots=True, eq=False)
class _Standardisation:
    """How features become comparable."""

    low: FloatArray
    high: FloatArray
    centre: FloatArray
    scale: FloatArray

    def linear(self, weights: FloatArray) -> LinearModel:
        """The model with these weights of standardised features."""
        values = (self.low, self.high, self.centre, self.scale, weights)
        return LinearModel(*(tuple(each.tolist()) for each in values))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Outputs and preferences of several language pairs."""

    x: FloatArray
    value: FloatArray
    """Standardised within each language pair."""
    better: IntArray
    worse: IntArray
    directions: tuple[int, ...]
    """Of the features: 1 if they are oriented so that higher is better, else 0."""

    def standardised(self) -> tuple[FloatArray, _Standardisation]:
        """The features within their bounds, with mean 0 and standard deviation 1; constant ones are 0."""
        low, high = (np.quantile(self.x, share, axis=0, method="nearest") for share in (_CLIPPED, 1 - _CLIPPED))
        bounded = np.clip(self.x, low, high)
        centre, scale = bounded.mean(axis=0), bounded.std(axis=0)
        is_constant = scale <= _CONSTANT * np.maximum(1.0, np.abs(centre))
        scale = np.where(is_constant, 1.0, scale)
        return np.where(is_constant, 0.0, (bounded - centre) / scale), _Standardisation(low, high, centre, scale)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model and the setting that it was fitted with."""

    setting: str
    model: TrainedModel


_Path: TypeAlias = Callable[[TrainingSet], Iterator[Fitted]]


def fit_path(kind: str, training: TrainingSet) -> Iterator[Fitted]:
    """The fits of a kind of model, on the scale of logits."""
    for fitted in _PATHS[kind](training):
        yield Fitted(fitted.setting, on_logit_scale(fitted.model, training))


def _logistic(training: TrainingSet) -> Iterator[Fitted]:
    """Logistic regression on the differences of two outputs, without a constant."""
    z, standardisation = training.standardised()
    difference = z[training.better] - z[training.worse]
    weights = np.zeros(difference.shape[1])
    for penalty in _PENALTIES:
        weights = _weights(difference, penalty, weights)
        yield Fitted(f"l2={penalty:g}", standardisation.linear(weights))


def _weights(difference: FloatArray, penalty: float, start: FloatArray) -> FloatArray:
    """Minimise the mean of log(1 + exp(-difference @ weights)) + penalty / 2 * |weights|^2."""
    count, features = difference.shape
    return fit_logistic(difference.T, np.ones(count), np.full(features, penalty * count), start=start)


def _ridge(training: TrainingSet) -> Iterator[Fitted]:
    """Ridge regression on the human values of single outputs."""
    z, standardisation = training.standardised()
    products = np.einsum("of,og->fg", z, z) / len(z)
    target = np.einsum("of,o->f", z, training.value) / len(z)
    for penalty in _PENALTIES:
        weights = np.linalg.solve(products + penalty * np.eye(len(target)), target)
        yield Fitted(f"l2={penalty:g}", standardisation.linear(weights))


def _boosting(training: TrainingSet) -> Iterator[Fitted]:
    """Boosted trees, which rise with every feature whose direction is known."""
    trees = boosted_trees(training.x, training.better, training.worse, training.directions)
    for stage in STAGES:
        yield Fitted(f"trees={stage}", TreeModel(tuple(trees[:stage])))
        if stage >= len(trees):
            return


_PATHS: Mapping[str, _Path] = {"logistic": _logistic, "ridge": _ridge, "boosting": _boosting}
MODELS = tuple(_PATHS)


def on_logit_scale(model: TrainedModel, training: TrainingSet) -> TrainedModel:
    """The model times the factor that makes preferences in training most likely; 0 if it runs against them."""
    scores = model(training.x)
    difference = (scores[training.better] - scores[training.worse])[:, np.newaxis]
    spread = float(np.sqrt((difference**2).mean()))
    if spread <= _CONSTANT:
        return model.scaled(0.0)
    factor = float(_weights(difference / spread, 1e-6, np.zeros(1))[0]) / spread
    return model.scaled(min(max(factor, 0.0), _MAX_FACTOR / spread))
