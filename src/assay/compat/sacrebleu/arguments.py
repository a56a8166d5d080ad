"""Options of metrics, checked when a metric is made. sacreBLEU fails while it scores, or scores something else."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import TypeVar

from assay.compat.sacrebleu.errors import ArgumentTypeError, ArgumentValueError

__all__ = ["check_integer", "check_number", "in_range"]

_T = TypeVar("_T")


def check_integer(name: str, value: object) -> None:
    """Refuse everything but integers, also those of NumPy."""
    if not isinstance(value, Integral):
        raise ArgumentTypeError(f"{name} must be an integer, not {value!r}")


def check_number(name: str, value: object) -> None:
    """Refuse everything but numbers, also those of NumPy."""
    if not isinstance(value, Real):
        raise ArgumentTypeError(f"{name} must be a number, not {value!r}")


def in_range(make: Callable[[], _T]) -> _T:
    """A metric of Assay, which refuses options out of range."""
    try:
        return make()
    except ValueError as error:
        raise ArgumentValueError(str(error)) from None
