"""Arrays, columns of text, and a dictionary that stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from assay import _core

__all__ = ["Column", "FloatArray", "FrozenDict", "IntArray", "Table", "mean_of_given", "present"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
Table: TypeAlias = npt.NDArray[Any]  # (..., system, segment, statistic), int64 or float64
Column: TypeAlias = tuple[str | None, ...]  # one text per segment; None: there is none


def mean_of_given(values: FloatArray, axis: int) -> FloatArray:
    """Along an axis, over the values that are not NaN; NaN where there is none."""
    given = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.where(given, values, 0.0).sum(axis=axis) / given.sum(axis=axis)
    return means


_K = TypeVar("_K")
_V = TypeVar("_V")


class FrozenDict(Mapping[_K, _V]):
    """A mapping that cannot be changed, keeps its order and can be pickled."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[_K, _V]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: _K) -> _V:
        return self._items[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)


def present(column: Column) -> npt.NDArray[np.bool_]:
    """Which segments of a column have a text."""
    return _core.present(column)
