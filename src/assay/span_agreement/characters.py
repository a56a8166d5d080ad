"""How often each character of an output was marked, by severity: what the character-level scores of WMT compare."""

from __future__ import annotations

from collections.abc import Sequence

from assay.lazily import numpy as np
from assay.span_agreement import severity_class
from assay.types import ErrorSpan, IntArray

__all__ = ["character_counts"]


def character_counts(
    marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan], *, widen_empty: bool = False
) -> tuple[IntArray, IntArray]:
    """(major or minor, character) for both sides, over the characters up to the last error.

    Errors in the source, and those that are neither major nor minor, do not count. `widen_empty`: an error without
    characters is one character long.
    """
    size = max((error.end or 0 for error in (*marked, *predicted)), default=0) + 1
    sides = []
    for errors in (marked, predicted):
        counts = np.zeros((2, size), dtype=np.int64)
        for error in errors:
            kind = severity_class(error)
            if kind and not error.in_source and error.start is not None and error.end is not None:
                end = error.end + (widen_empty and error.start == error.end)
                counts[0 if kind == "major" else 1, error.start : end] += 1
        sides.append(counts)
    return sides[0], sides[1]
