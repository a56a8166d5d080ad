"""The type hints of dataclass fields, and whether values fit them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from assay.lazily import numpy as np
from assay.types import Column, FrozenDict

__all__ = ["fits", "hints_of"]

_ELEMENTARY = {str, int, float, bool, NoneType}


@functools.cache
def hints_of(cls: Any) -> dict[str, Any]:
    """The types of the fields of a class."""
    return get_type_hints(cls, localns=_array_types())


@functools.cache
def _array_types() -> dict[str, Any]:
    """Names that modules import, or define, for type checkers alone."""
    import numpy.typing as npt

    return {
        "np": np,
        "npt": npt,
        "FloatArray": npt.NDArray[np.float64],
        "IntArray": npt.NDArray[np.int64],
        "Mask": npt.NDArray[np.bool_],
        "Table": npt.NDArray[Any],
    }


def fits(value: object, hint: Any) -> bool:
    """Whether a value has the type of a hint. An int fits `float`, but a bool fits neither `int` nor `float`.

    TypeError if the hint is of a kind that no result uses.
    """
    origin = get_origin(hint)
    if origin in _CHECKS:
        return _CHECKS[origin](value, get_args(hint))
    if origin is np.ndarray:
        return _fits_array(value, get_args(hint))
    if origin is not None:
        raise TypeError(f"unsupported type hint: {hint}")
    return _fits_class(value, hint)


def _fits_class(value: object, hint: Any) -> bool:
    if hint is Any or hint is object:
        return True
    if hint is None:
        return value is None
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool)
    if hint is Column:  # it is made of the tuple
        return isinstance(value, tuple) and _fit_all(value, str | None)
    if not isinstance(hint, type):
        raise TypeError(f"unsupported type hint: {hint}")
    return isinstance(value, hint)


def _fits_union(value: object, hints: tuple[Any, ...]) -> bool:
    return any(fits(value, hint) for hint in hints)


def _fits_tuple(value: object, hints: tuple[Any, ...]) -> bool:
    if not isinstance(value, tuple):
        return False
    if len(hints) == 2 and hints[1] is Ellipsis:
        return _fit_all(value, hints[0])
    return len(value) == len(hints) and all(map(fits, value, hints))


def _fits_sequence(value: object, hints: tuple[Any, ...]) -> bool:
    return isinstance(value, tuple) and _fit_all(value, hints[0])


def _fit_all(values: tuple[object, ...], hint: Any) -> bool:
    if set(get_args(hint) or (hint,)) <= _ELEMENTARY:  # a long column of text: one value of each type is enough
        return all(fits(value, hint) for value in {type(value): value for value in values}.values())
    return all(fits(value, hint) for value in values)


def _fits_mapping(value: object, hints: tuple[Any, ...]) -> bool:
    if not isinstance(value, FrozenDict):
        return False
    return _fit_all(tuple(value), hints[0]) and _fit_all(tuple(value.values()), hints[1])


def _fits_array(value: object, hints: tuple[Any, ...]) -> bool:
    (scalar,) = get_args(hints[1])
    return isinstance(value, np.ndarray) and (scalar is Any or value.dtype == scalar)


def _fits_literal(value: object, choices: tuple[Any, ...]) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in choices)


_CHECKS: Mapping[Any, Callable[[object, tuple[Any, ...]], bool]] = {
    Union: _fits_union,
    UnionType: _fits_union,
    tuple: _fits_tuple,
    list: _fits_sequence,
    Sequence: _fits_sequence,
    Mapping: _fits_mapping,
    dict: _fits_mapping,
    FrozenDict: _fits_mapping,
    Literal: _fits_literal,
}
