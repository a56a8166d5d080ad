"""Missing lines: where the shorter of two columns most likely lacks lines.

Suppose that the longer column has D lines more than the shorter, which lacks them in one place. The cost of a place k
is that of pairing the lines before k as they are and those after it shifted by D; the place of least cost is the most
likely one. The cost of a pair is the Dice distance of the two sets of character trigrams, which works within a
language, plus the deviation of the ratio of their lengths from the average, which works for any.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

__all__ = ["most_likely_gap"]

_MAX_COMPARED = 20_000  # longer columns are compared by length only, which is a hundred times faster
_MAX_CHARACTERS = 1000  # of a line


def most_likely_gap(longer: Sequence[str | None], shorter: Sequence[str | None]) -> int:
    """The line (from 1) of the longer column at which the shorter one most likely lacks lines."""
    shift = len(longer) - len(shorter)
    usual = _log_ratio(sum(len(text or "") for text in longer), sum(len(text or "") for text in shorter))

    def distance(pair: tuple[str | None, str | None]) -> float:
        one, other = pair[0] or "", pair[1] or ""
        distance_of_texts = _dice_distance(one, other) if len(longer) <= _MAX_COMPARED else 0.0
        return distance_of_texts + min(abs(_log_ratio(len(one), len(other)) - usual), 1.0)

    before = accumulate(map(distance, zip(longer, shorter, strict=False)), initial=0.0)
    shifted = list(map(distance, zip(longer[shift:], shorter, strict=True)))
    after = accumulate(reversed(shifted), initial=0.0)
    costs = [x + y for x, y in zip(before, reversed(list(after)), strict=True)]
    return min(range(len(costs)), key=costs.__getitem__) + 1


def _dice_distance(one: str, other: str) -> float:
    """One minus the Dice coefficient of the two sets of trigrams; 0 if both are empty."""
    a, b = _trigrams(one), _trigrams(other)
    return 1 - 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(min(len(text), _MAX_CHARACTERS) - 2)}


def _log_ratio(one: int, other: int) -> float:
    """The log ratio of two lengths; the constant avoids extreme ratios of short lines."""
    return math.log((one + 5) / (other + 5))
