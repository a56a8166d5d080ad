"""Lines that were encoded as UTF-8 twice: `Ã¼` instead of `ü`."""

from __future__ import annotations

from assay import _core
from assay.types import Column

__all__ = ["double_encoded_lines"]

_ENCODINGS = ("cp1252", "latin-1")  # what a program takes the bytes of UTF-8 for


def double_encoded_lines(column: Column) -> list[int]:
    """Lines (from 1) whose characters, written as bytes, are valid UTF-8 again: other texts hardly ever are."""
    return [i + 1 for i in _core.lines_to_decode(column) if _is_double_encoded(column[i] or "")]


def _is_double_encoded(text: str) -> bool:
    for encoding in _ENCODINGS:
        try:
            text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return True
    return False
