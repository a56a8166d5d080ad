"""A logistic fit to preferences between two sides: the first wins, the second wins, or neither is shown to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["Preference", "fit_preference", "sigmoid"]

_FREE_RIDGE = 1.0
_THRESHOLD_RIDGE = 1e-6  # keeps the fit finite where nobody ever wins
_START = 0.5
_ITERATIONS = 100
_PRECISION = 1e-9
_SHORTEST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Preference:
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
        return _weighted_sum(x.T, self.weights)


def fit_preference(
    x: FloatArray,
    first: FloatArray,
    second: FloatArray,
    *,
    ridge: float,
    free: Collection[int] = (),
    weights: FloatArray | None = None,
    start: Preference | None = None,
) -> Preference:
    """Penalised maximum likelihood, by Newton's method: the penalty is half of `ridge` times the squared weights.

    `x` has rows of differences of about the same scale, `first` and `second` how often each side won (0 or 1, or a
    share). A larger difference speaks for its side, so no weight is negative; those of the columns `free` may be, and
    have a penalty of their own. `weights` are those of the rows; a `start` close to the fit saves time.
    """
    columns = np.concatenate([np.concatenate([x, -x]).T, np.full((1, 2 * len(x)), -1.0)])
    outcomes = np.concatenate([first, second])
    counts = np.ones(len(outcomes)) if weights is None else np.tile(weights, 2)
    penalty = np.append(np.full(x.shape[1], ridge), _THRESHOLD_RIDGE)
    penalty[list(free)] = _FREE_RIDGE
    least = np.append(np.zeros(x.shape[1]), -np.inf)
    least[list(free)] = -np.inf

    def loss(point: FloatArray) -> float:
        leaning = _weighted_sum(columns, point)
        lost = counts * (np.logaddexp(0.0, leaning) - outcomes * leaning)
        return float(lost.sum() + (penalty * point**2).sum() / 2)

    point = np.full(len(columns), _START) if start is None else np.append(start.weights, start.threshold)
    value = loss(point)
    for _ in range(_ITERATIONS):
        predicted = sigmoid(_weighted_sum(columns, point))
        gradient = (columns * (counts * (predicted - outcomes))).sum(axis=1) + penalty * point
        weighted = columns * (counts * predicted * (1 - predicted))
        curvature = np.stack([(weighted * column).sum(axis=1) for column in columns]) + np.diag(penalty)
        moves = np.flatnonzero((point > least) | (gradient < 0))  # the others stay at their lower limit
        step = np.zeros(len(point))
        step[moves] = -np.linalg.solve(curvature[np.ix_(moves, moves)], gradient[moves])
        length = 1.0
        while (found := loss(after := np.maximum(point + length * step, least))) > value and length > _SHORTEST:
            length /= 2
        if found > value:
            break
        moved = float(np.abs(after - point).max())
        point, value = after, found
        if moved < _PRECISION:
            break
    return Preference(point[:-1], float(point[-1]))


def _weighted_sum(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """Of each row; without BLAS, whose last bits depend on its number of threads."""
    total: FloatArray = (columns * weights[:, np.newaxis]).sum(axis=0)
    return total


def sigmoid(x: FloatArray) -> FloatArray:
    """1 / (1 + exp(-x)) without overflow."""
    values: FloatArray = 1 / (1 + np.exp(-np.clip(x, -500, 500)))
    return values
