from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from assay.store.hints import fits
from assay.types import Column, FrozenDict, Note, NoteKind


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1, int),
        (1, float),
        (1.5, float),
        (True, bool),
        (None, None),
        (None, str | None),
        ("x", Any),
        (("x", None), Column),
        ((), tuple[str, ...]),
        ((1, "x"), tuple[int, str]),
        (((1, 2.0, 3.0),), tuple[tuple[int, float, float], ...]),
        (("x", "y"), Sequence[str]),
        (FrozenDict({"a": 1.0}), Mapping[str, float]),
        (FrozenDict({}), Mapping[str, float]),
        (np.zeros(3), npt.NDArray[np.float64]),
        (np.zeros(3, dtype=np.int64), npt.NDArray[Any]),
        ("a", Literal["a", "b"]),
        (Note(NoteKind.MISSING, "x"), Note),
        (NoteKind.MISSING, NoteKind),
    ],
)
def test_values_that_fit(value, hint):
    assert fits(value, hint)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("1", int),
        (True, int),
        (True, float),
        (1.5, int),
        (1, bool),
        (0, None),
        (1, str | None),
        (("x", 1), Column),
        (("x", "y"), tuple[str]),
        ("xy", tuple[str, ...]),
        (["x"], tuple[str, ...]),
        (((1, 2.0),), tuple[tuple[int, float, float], ...]),
        ("xy", Sequence[str]),
        ({"a": 1.0}, Mapping[str, float]),
        (FrozenDict({1: 1.0}), Mapping[str, float]),
        (FrozenDict({"a": "b"}), Mapping[str, float]),
        (np.zeros(3, dtype=np.int64), npt.NDArray[np.float64]),
        ((0.0,), npt.NDArray[np.float64]),
        ("c", Literal["a", "b"]),
        ("missing", NoteKind),
    ],
)
def test_values_that_do_not_fit(value, hint):
    assert not fits(value, hint)


@pytest.mark.parametrize("hint", [Callable[[], int], set[str], TypeVar("T")])
def test_hints_that_no_result_has(hint):
    with pytest.raises(TypeError, match="unsupported type hint"):
        fits(None, hint)
