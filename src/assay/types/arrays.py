"""Arrays, and dictionaries that cannot be changed."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

from assay import _core
from assay.errors import InputError
from assay.lazily import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "FloatArray",
    "FrozenDict",
    "IntArray",
    "LazyDict",
    "Mask",
    "Rows",
    "Table",
    "mean_of_defined",
    "present",
    "row_count",
    "summable",
    "without_mask",
]

# Names of types as strings: numpy, which is slow to import, is not needed to declare them.
FloatArray: TypeAlias = "npt.NDArray[np.float64]"
IntArray: TypeAlias = "npt.NDArray[np.int64]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"
Table: TypeAlias = "npt.NDArray[Any]"  # (..., system, segment, statistic), int64 or float64
Rows: TypeAlias = "memoryview | npt.NDArray[Any]"  # the same, perhaps as the core returns it, without numpy


def mean_of_defined(values: FloatArray, axis: int) -> FloatArray:
    """The mean along an axis over the values that are not NaN; NaN if all are."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.where(defined, values, 0.0).sum(axis=axis) / defined.sum(axis=axis)
    return means


def without_mask(values: Any, fill: float = math.nan) -> Any:
    """The values of a masked array, or of a list of them, with `fill` where they are masked; other values unchanged.

    Raise for complex numbers: they have no order, and numpy would drop their imaginary part.
    """
    is_masked = _is_masked(values)
    if isinstance(values, list | tuple) and any(map(_is_masked, values)):
        values, is_masked = np.ma.array(values), True
    if np.iscomplexobj(values):
        raise InputError("complex numbers are not scores: they have no order", hint="give real numbers")
    if not is_masked:
        return values
    has_gaps = math.isnan(fill) and np.issubdtype(values.dtype, np.integer)
    return (values.astype(np.float64) if has_gaps else values).filled(fill)


def _is_masked(values: object) -> bool:
    """Only a program that has imported numpy.ma, which is slow to import, can have a masked array."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


_K = TypeVar("_K")
_V = TypeVar("_V")


class FrozenDict(dict[_K, _V]):
    """A dictionary that cannot be changed. It keeps its order and can be pickled."""

    __slots__ = ()

    def _refuse(self, *_arguments: object, **_options: object) -> NoReturn:
        raise TypeError("this dictionary cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[_K, _V]], tuple[dict[_K, _V]]]:
        return FrozenDict, (dict(self),)


class LazyDict(Mapping[_K, _V]):
    """A dictionary whose values are computed when one of them is first read. Otherwise it is like `FrozenDict`."""

    __slots__ = ("_compute", "_keys", "_values")

    def __init__(self, keys: Iterable[_K], compute: Callable[[], Iterable[_V]]) -> None:
        """`compute` returns the values of all keys, in their order."""
        self._keys = tuple(keys)
        self._compute = compute
        self._values: FrozenDict[_K, _V] | None = None

    def _computed(self) -> FrozenDict[_K, _V]:
        if self._values is None:
            self._values = FrozenDict(zip(self._keys, self._compute(), strict=True))
        return self._values

    def __getitem__(self, key: _K) -> _V:
        return self._computed()[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return repr(self._computed())

    def __reduce__(self) -> tuple[type[FrozenDict[_K, _V]], tuple[dict[_K, _V]]]:
        return FrozenDict, (dict(self._computed()),)


def summable(rows: Rows) -> _core.Summable:
    """A table (system, row, column) of int64 or float64, arranged for weighted sums."""
    return _core.Summable(rows if isinstance(rows, memoryview) else np.ascontiguousarray(rows))


def row_count(rows: Rows) -> int:
    """The number of rows of a table (system, row, column), which are segments or resamples."""
    shape = rows.shape or (0, 0)
    return shape[1]


def present(column: _core.Column) -> npt.NDArray[np.bool_]:
    """A mask of the segments that have a text."""
    return _core.present(column)
