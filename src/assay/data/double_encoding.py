"""Lines that were encoded as UTF-8 twice: `Ã¼` instead of `ü`."""

from __future__ import annotations

import re

from assay.types import Column

__all__ = ["double_encoded_lines"]

_ENCODINGS = ("cp1252", "latin-1")  # what a program takes the bytes of UTF-8 for
_FOLLOWING = "".join(bytes([byte]).decode(encoding, "ignore") for encoding in _ENCODINGS for byte in range(0x80, 0xC0))
_PAIR = re.compile(f"[\u00c2-\u00f4][{re.escape(_FOLLOWING)}]")
"""The first byte of a character in UTF-8 and the next one, each taken for a character: rare, and fast to look for."""


def double_encoded_lines(column: Column) -> list[int]:
    """Lines (from 1) whose characters, written as bytes, are valid UTF-8 again: other texts hardly ever are."""
    if not _PAIR.search("\n".join(text for text in column if text and not text.isascii())):
        return []
    return [i for i, text in enumerate(column, 1) if text and not text.isascii() and _is_double_encoded(text)]


def _is_double_encoded(text: str) -> bool:
    for encoding in _ENCODINGS:
        try:
            text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return True
    return False
