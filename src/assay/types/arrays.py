"""Arrays, columns of text, and an immutable dictionary."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from assay import _core

__all__ = ["Column", "FloatArray", "FrozenDict", "IntArray", "Table", "mean_of_given", "present"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
Table: TypeAlias = npt.NDArray[Any]  # (..., system, segment, statistic), int64 or float64
Column: TypeAlias = tuple[str | None, ...]  # one text per segment; None: there is none


def mean_of_given(values: FloatArray, axis: int) -> FloatArray:
    """The mean along an axis over the values that are not NaN; NaN if all are."""
    given = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.where(given, values, 0.0).sum(axis=axis) / given.sum(axis=axis)
    return means


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


def present(column: Column) -> npt.NDArray[np.bool_]:
    """A mask of the segments that have a text."""
    return _core.present(column)
