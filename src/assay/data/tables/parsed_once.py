"""Cells that repeat in a column, parsed once: a file of two million ratings has a few hundred names and scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["Numbered", "ParsedOnce"]

_LARGEST = 1 << 17  # a column of measurements hardly repeats, and need not be kept

_V = TypeVar("_V")


class ParsedOnce(dict[str, _V]):
    """`cells[text]` is `parse(text)`."""

    def __init__(self, parse: Callable[[str], _V]) -> None:
        super().__init__()
        self._parse = parse

    def __missing__(self, text: str) -> _V:
        value = self._parse(text)
        if len(self) < _LARGEST:
            self[text] = value
        return value


class Numbered(dict[str, int]):
    """`cells[text]` is the number of `parse(text)` among `values`, in order of appearance."""

    def __init__(self, parse: Callable[[str], object] = str) -> None:
        super().__init__()
        self._parse = parse
        self._numbers: dict[object, int] = {}

    def __missing__(self, text: str) -> int:
        value = self._parse(text)
        number = self[text] = self._numbers.setdefault(value, len(self._numbers))
        return number

    @property
    def values_in_order(self) -> list[object]:
        """The values by number."""
        return list(self._numbers)
