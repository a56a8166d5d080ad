"""The logistic function, and the fit of a logistic regression."""

from __future__ import annotations

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["fit_logistic", "log_odds", "sigmoid", "weighted_sum"]

_ITERATIONS = 100
_PRECISION = 1e-9
_SHORTEST = 1e-6  # of the parts of a step that are tried


def sigmoid(x: FloatArray) -> FloatArray:
    """1 / (1 + exp(-x)) without overflow."""
    values: FloatArray = 1 / (1 + np.exp(-np.clip(x, -500, 500)))
    return values


def log_odds(shares: FloatArray) -> FloatArray:
    """The inverse of `sigmoid`: the logarithm of the odds of shares between 0 and 1."""
    values: FloatArray = np.log(shares) - np.log1p(-shares)
    return values


def weighted_sum(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """The sum of columns (column, row) for each row; without BLAS, whose last bits depend on its number of threads."""
    total: FloatArray = (columns * weights[:, np.newaxis]).sum(axis=0)
    return total


def fit_logistic(
    columns: FloatArray,
    outcomes: FloatArray,
    penalty: FloatArray,
    *,
    start: FloatArray,
    least: FloatArray | None = None,
    counts: FloatArray | None = None,
) -> FloatArray:
    """The weights of columns (column, row) of penalised maximum likelihood, by Newton's method.

    The penalty is half of `penalty` times the squared weights. Outcomes are 0 or 1, or shares; `counts` says how often
    each row counts. No weight falls below `least`. A `start` close to the fit saves time.
    """
    least = np.full(len(columns), -np.inf) if least is None else least
    counts = np.ones(len(outcomes)) if counts is None else counts

    def loss(point: FloatArray) -> float:
        logits = weighted_sum(columns, point)
        lost = counts * (np.logaddexp(0.0, logits) - outcomes * logits)
        return float(lost.sum() + (penalty * point**2).sum() / 2)

    point, value = start, loss(start)
    for _ in range(_ITERATIONS):
        predicted = sigmoid(weighted_sum(columns, point))
        gradient = (columns * (counts * (predicted - outcomes))).sum(axis=1) + penalty * point
        weighted = columns * (counts * predicted * (1 - predicted))
        curvature = np.stack([(weighted * column).sum(axis=1) for column in columns]) + np.diag(penalty)
        moves = np.flatnonzero((point > least) | (gradient < 0))  # the others stay at their lower limit
        step = np.zeros(len(point))
        step[moves] = -np.linalg.solve(curvature[np.ix_(moves, moves)], gradient[moves])
        length = 1.0
        while (after_loss := loss(after := np.maximum(point + length * step, least))) > value and length > _SHORTEST:
            length /= 2
        if after_loss > value:
            break
        moved = float(np.abs(after - point).max(initial=0.0))
        point, value = after, after_loss
        if moved < _PRECISION:
            break
    return point
