"""A logistic fit to preferences between two sides: the first wins, the second wins, or neither is shown to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.logistic import fit_logistic, sigmoid, weighted_sum
from assay.types import FloatArray

__all__ = ["PreferenceFit", "fit_preference"]

_FREE_RIDGE = 1.0
_THRESHOLD_RIDGE = 1e-6  # keeps the fit finite where nobody ever wins
_START = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceFit:
    """Probabilities from signed differences: 1 / (1 + exp(threshold - weights · x)) that the first side wins.

    That the second one wins is the same of -x, so swapping the sides swaps the probabilities. What is left over is the
    probability of neither: an ordered logistic regression with two thresholds of the same size.
    """

    weights: FloatArray
    threshold: float

    def __call__(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The probabilities that the first and that the second side wins, of rows of differences."""
        leaning = self.leaning(x)
        return sigmoid(leaning - self.threshold), sigmoid(-leaning - self.threshold)

    def leaning(self, x: FloatArray) -> FloatArray:
        """How much rows of differences speak for the first side."""
        return weighted_sum(x.T, self.weights)


def fit_preference(
    x: FloatArray,
    first: FloatArray,
    second: FloatArray,
    *,
    ridge: float,
    free: Collection[int] = (),
    weights: FloatArray | None = None,
    start: PreferenceFit | None = None,
) -> PreferenceFit:
    """Penalised maximum likelihood: the penalty is half of `ridge` times the squared weights.

    `x` has rows of differences of about the same scale, `first` and `second` how often each side won (0 or 1, or a
    share). A larger difference speaks for its side, so no weight is negative; those of the columns `free` may be, and
    have a penalty of their own. `weights` are those of the rows; a `start` close to the fit saves time.
    """
    columns = np.concatenate([np.concatenate([x, -x]).T, np.full((1, 2 * len(x)), -1.0)])
    penalty = np.append(np.full(x.shape[1], ridge), _THRESHOLD_RIDGE)
    penalty[list(free)] = _FREE_RIDGE
    least = np.append(np.zeros(x.shape[1]), -np.inf)
    least[list(free)] = -np.inf
    point = fit_logistic(
        columns,
        np.concatenate([first, second]),
        penalty,
        start=np.full(len(columns), _START) if start is None else np.append(start.weights, start.threshold),
        least=least,
        counts=None if weights is None else np.tile(weights, 2),
    )
    return PreferenceFit(point[:-1], float(point[-1]))
