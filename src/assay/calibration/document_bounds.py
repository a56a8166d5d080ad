"""Bounds of a rate from whole documents, however different these are, with one more that nobody saw.

The upper bound is Gaffke's (2005; Learned-Miller and Thomas 2019): the quantile of the rate under random weights of the
documents, drawn from a standard exponential distribution, with one more document that has only errors. That is as large
as the document of a judgement drawn at random is on average, so that documents without errors show about what their
effective number of equal ones would. If each document has one judgement, this is the bound of Clopper and Pearson.

It is conjectured to hold for documents of equal size. For others it rests on simulations, in which it holds of
documents no larger than the largest that was judged (docs/methods/triage.md).
"""

from __future__ import annotations

import math

from assay.lazily import numpy as np
from assay.types import FloatArray

__all__ = ["highest_rate", "is_at_most", "lowest_bound", "lowest_rate"]

_PLACES = 120
_FROM, _TO = 1e-7, 1e5
"""The characteristic function is integrated by the trapezoidal rule on this many places, evenly on the logarithmic
scale: within 1e-7 of Clopper and Pearson's bounds."""


def is_at_most(rate: float, errors: FloatArray, sizes: FloatArray, tail: float) -> bool:
    """Whether the upper bound is at most this rate."""
    return _share_below(rate, errors, sizes) >= 1 - tail


def highest_rate(errors: FloatArray, sizes: FloatArray, tail: float) -> float:
    """The upper bound: documents have so many errors in so many judgements, and it is wrong with the probability."""
    from scipy.optimize import brentq  # slow to import

    if (errors == sizes).all():
        return 1.0
    return float(brentq(lambda rate: _share_below(rate, errors, sizes) - (1 - tail), 0.0, 1.0, xtol=1e-9))


def lowest_rate(errors: FloatArray, sizes: FloatArray, tail: float) -> float:
    """The lower bound: the complement of the upper bound of what has no error."""
    return 1 - highest_rate(sizes - errors, sizes, tail)


def lowest_bound(sizes: FloatArray, tail: float) -> float:
    """The lowest upper bound that documents of these sizes can show: that without any error."""
    return highest_rate(np.zeros(len(sizes)), sizes, tail)


def _share_below(rate: float, errors: FloatArray, sizes: FloatArray) -> float:
    """The probability that the rate under random weights is at most this one.

    It is that of a weighted sum of exponential variables, by the inversion formula of Gil-Pelaez (1951).
    """
    unseen = (sizes**2).sum() / sizes.sum()
    excess = np.append(errors, unseen) - rate * np.append(sizes, unseen)
    if excess.max() <= 0:
        return 1.0
    if excess.min() >= 0:
        return 0.0
    places = np.geomspace(_FROM, _TO, _PLACES)
    scaled = np.outer(places, excess / np.abs(excess).max())
    real, angle = -0.5 * np.log1p(scaled**2).sum(axis=1), np.arctan(scaled).sum(axis=1)
    step = math.log(places[1] / places[0])
    integral = float((np.exp(real) * np.sin(angle)).sum()) * step
    return 0.5 - integral / math.pi
