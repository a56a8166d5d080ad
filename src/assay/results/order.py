"""Which score is the best, and the order from there: one for tables, charts and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

__all__ = ["best_first", "best_value"]

_K = TypeVar("_K")


def best_first(values: Mapping[_K, float], *, higher_is_better: bool = True) -> list[_K]:
    """The names in the order of their values; equal ones as they come, undefined ones last."""
    sign = -1 if higher_is_better else 1
    return sorted(values, key=lambda name: math.inf if math.isnan(values[name]) else sign * values[name])


def best_value(values: Iterable[float], *, higher_is_better: bool = True) -> float:
    """The best of the defined values; NaN if there is none, so that no value equals it."""
    defined = (value for value in values if not math.isnan(value))
    return (max if higher_is_better else min)(defined, default=math.nan)
