"""The first line of both formats of word2vec, and which of the two follows."""

from __future__ import annotations

import re

__all__ = ["HEADER", "is_text_row"]

HEADER = re.compile(rb"(\d+)[ \t]+(\d+)[ \t]*\r?(?:\n|\Z)")
"""The number of words, and that of components."""


def is_text_row(rest: bytes) -> bool:
    """Whether numbers in ASCII follow the first word, rather than binary ones."""
    numbers = rest.partition(b"\n")[0].partition(b" ")[2]
    return re.fullmatch(rb"[\t\r -~]*", numbers) is not None
