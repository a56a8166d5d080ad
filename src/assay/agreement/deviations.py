"""Deviations from the mean that neither overflow nor lose the digits in which the scores differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.types import FloatArray

__all__ = ["deviations"]

_HUGE = 2.0**1000


def deviations(values: FloatArray, given: npt.NDArray[np.bool_], *, together: bool = False) -> FloatArray:
    """(item, group): values (group, item) less the mean of their group, 0 where not given or where a group is constant.

    In units of a power of two near the range of the group, or with `together` of all groups. Before the mean, the
    lowest value is taken off: where scores differ by little, that is exact, and the mean of what is left is small.
    """
    x = np.array(values.T, order="C")  # sums over few items for many groups are sums of long rows
    is_given = None if given.all() else np.ascontiguousarray(given.T)
    low, high = _ends(x, is_given)
    largest = np.maximum(np.abs(low), np.abs(high))
    if largest.max(initial=0.0) > _HUGE:
        shrink = np.where(together | (largest > _HUGE), 0.25, 1.0)  # the range might overflow
        x, low, high = x * shrink, low * shrink, high * shrink
    x -= low
    x *= _power_of_two(high - low, together=together)
    for _ in range(2):  # the second mean is what rounding left of the first
        x -= _means(x, is_given)
        if is_given is not None:
            x *= is_given
    x[:, high <= low] = 0.0
    return x


def _means(x: FloatArray, given: npt.NDArray[np.bool_] | None) -> FloatArray:
    means: FloatArray
    if given is None:
        means = x.sum(axis=0) / max(len(x), 1)
    else:
        means = (x * given).sum(axis=0) / np.maximum(given.sum(axis=0), 1)
    return means


def _ends(x: FloatArray, given: npt.NDArray[np.bool_] | None) -> tuple[FloatArray, FloatArray]:
    """The lowest and the highest value of each group; 0 and 0 where it has none."""
    if not len(x):
        return np.zeros(x.shape[1]), np.zeros(x.shape[1])
    if given is None:
        return x.min(axis=0), x.max(axis=0)
    low = np.where(given, x, np.inf).min(axis=0)
    high = np.where(given, x, -np.inf).max(axis=0)
    has_any = high >= low
    return np.where(has_any, low, 0.0), np.where(has_any, high, 0.0)


def _power_of_two(size: FloatArray, *, together: bool) -> FloatArray:
    """What brings a range to between a half and 1, so that squares neither overflow nor vanish."""
    if together:
        size = np.full_like(size, size.max(initial=0.0))
    _, exponent = np.frexp(size)
    power: FloatArray = np.ldexp(1.0, -np.clip(exponent, -1000, 1000))
    return power
