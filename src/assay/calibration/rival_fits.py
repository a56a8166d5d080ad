"""The simpler fits that an isotonic curve has to beat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from assay.calibration.isotonic import fit_isotonic
from assay.lazily import numpy as np
from assay.logistic import fit_logistic, sigmoid, weighted_sum
from assay.types import FloatArray

__all__ = ["FITS", "Fit", "fit_constant", "fit_logistic_curve"]

Fit: TypeAlias = Callable[[FloatArray], FloatArray]
"""From differences to probabilities."""

_RIDGE = 1e-6  # keeps a logistic fit finite where a threshold separates the outcomes


def fit_logistic_curve(differences: FloatArray, outcomes: FloatArray) -> Fit:
    """1 / (1 + exp(-(a + b x))) of maximum likelihood."""
    centre, scale = differences.mean(), differences.std() or 1.0

    def columns(x: FloatArray) -> FloatArray:
        return np.stack([np.ones(len(x)), (x - centre) / scale])

    weights = fit_logistic(columns(differences), outcomes, np.full(2, _RIDGE), start=np.zeros(2))
    return lambda x: sigmoid(weighted_sum(columns(x), weights))


def fit_constant(_differences: FloatArray, outcomes: FloatArray) -> Fit:
    """The base rate: the share of pairs with the outcome."""
    rate = float(outcomes.mean())
    return lambda x: np.full(len(x), rate)


FITS: dict[str, Callable[[FloatArray, FloatArray], Fit]] = {
    "isotonic": fit_isotonic,
    "logistic": fit_logistic_curve,
    "constant": fit_constant,
}
