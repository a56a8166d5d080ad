"""Takes values out of a parsed calibration, and says where one is not what it should be."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from types import NoneType
from typing import Any

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray, Note, NoteKind

__all__ = ["TreeReader"]

_LARGEST = 1e15  # of any number in a file


class TreeReader:
    """Reads a tree from a file, which is named in errors."""

    def __init__(self, path: str) -> None:
        self.path = path

    def fail(self, where: str, expected: str) -> InputError:
        """The error for a value that is not what it should be."""
        return InputError(f"the calibration is damaged: {where} is not {expected}", path=self.path)

    def get(self, tree: Mapping[str, Any], key: str, kind: type | tuple[type, ...], expected: str) -> Any:
        """A value of a kind."""
        value = tree.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fail(key, expected)
        return value

    def mapping(self, tree: Mapping[str, Any], key: str) -> dict[str, Any]:
        """An object."""
        found: dict[str, Any] = self.get(tree, key, dict, "an object")
        return found

    def list(self, tree: Mapping[str, Any], key: str) -> Sequence[Any]:
        """A list of anything."""
        found: Sequence[Any] = self.get(tree, key, list, "a list")
        return found

    def objects(self, tree: Mapping[str, Any], key: str) -> Sequence[dict[str, Any]]:
        """A list of objects; empty if it is missing."""
        found = [] if tree.get(key) is None else self.list(tree, key)
        if not all(isinstance(each, dict) for each in found):
            raise self.fail(key, "a list of objects")
        return found

    def text(self, tree: Mapping[str, Any], key: str) -> str:
        """A text."""
        return str(self.get(tree, key, str, "text"))

    def number(self, tree: Mapping[str, Any], key: str) -> float:
        """A finite number, or NaN for null."""
        value = math.nan if tree.get(key) is None else self.get(tree, key, (int, float), "a number")
        if abs(value) > _LARGEST:
            raise self.fail(key, "a finite number")
        return float(value)

    def share(self, tree: Mapping[str, Any], key: str) -> float:
        """A number from 0 to 1."""
        value = self.number(tree, key)
        if not 0 <= value <= 1:
            raise self.fail(key, "a number from 0 to 1")
        return value

    def count(self, tree: Mapping[str, Any], key: str) -> int:
        """A whole number that is not negative."""
        value = self.get(tree, key, int, "a count")
        if not 0 <= value <= _LARGEST:
            raise self.fail(key, "a count")
        return int(value)

    def numbers(self, tree: Mapping[str, Any], key: str) -> FloatArray:
        """A list of finite numbers, NaN for null."""
        values = self.list(tree, key)
        if not {type(value) for value in values} <= {int, float, NoneType}:
            raise self.fail(key, "a list of numbers")
        try:
            numbers = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
        except OverflowError:
            raise self.fail(key, "a list of finite numbers") from None
        if (np.abs(numbers) > _LARGEST).any():
            raise self.fail(key, "a list of finite numbers")
        return numbers

    def choice(self, tree: Mapping[str, Any], key: str, known: Collection[str]) -> str:
        """One of some words."""
        if (found := self.get(tree, key, str, "text")) not in known:
            raise self.fail(key, f"one of {', '.join(known)}")
        return str(found)

    def note(self, tree: Mapping[str, Any]) -> Note:
        """A note."""
        kind = NoteKind(self.choice(tree, "kind", [*NoteKind]))
        count = None if tree.get("count") is None else self.count(tree, "count")
        line = None if tree.get("line") is None else self.count(tree, "line")
        hint, example = (None if tree.get(key) is None else self.text(tree, key) for key in ("hint", "example"))
        texts = self.text(tree, "text"), self.text(tree, "where")
        return Note(kind, *texts, count, self.text(tree, "severity"), line=line, hint=hint, example=example)

    def whole_numbers(self, tree: Mapping[str, Any], key: str, low: int, high: int) -> IntArray:
        """A list of whole numbers within limits, or a list of such lists of the same length."""
        try:
            values = np.array(self.list(tree, key))
        except ValueError:
            raise self.fail(key, "a list of whole numbers") from None
        if values.size and (values.dtype.kind != "i" or values.min() < low or values.max() > high):
            raise self.fail(key, f"a list of whole numbers from {low} to {high}")
        return values.astype(np.int64)

    def check_consistent(self, tree: Any, read: Any, where: str = "") -> None:
        """Whatever a file says must be what the calibration that was read from it says, such as its cut-offs."""
        if tree is None or tree == read:
            return
        if isinstance(tree, dict) and isinstance(read, dict):
            for key, value in tree.items():
                place = f"{where}.{key}" if where else key
                if key not in read:
                    raise self.fail(place, "part of a calibration")
                self.check_consistent(value, read[key], place)
        elif isinstance(tree, list) and isinstance(read, list) and len(tree) == len(read):
            for i, (value, expected) in enumerate(zip(tree, read, strict=True)):
                self.check_consistent(value, expected, f"{where}[{i}]")
        else:
            raise self.fail(where, "what the rest of the file says")
