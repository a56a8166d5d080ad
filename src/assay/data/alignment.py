"""Misaligned columns: where lines are missing, and which lines fit other lines better than their own.

Suppose that the longer column has D lines more than the shorter, which lacks them in one place. The cost of a place k
is that of pairing the lines before k as they are and those after it shifted by D; the place of least cost is the most
likely one. The cost of a pair is the Dice distance of the two sets of character trigrams, which works within a
language, plus the deviation of the ratio of their lengths from the average, which works for any.

Columns of equal length may be shifted, too: then a line is more similar to its neighbours' counterparts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

__all__ = ["ReferenceColumn", "likely_shift", "suspicious_line"]

_MAX_COMPARED = 20_000  # longer columns are compared by length only, which is a hundred times faster
_MAX_CHARACTERS = 1000  # of a line
_SAMPLED_LINES = 32
_DRIFT = 0.1  # similarity a line must gain by a shift to count for it
_STRETCH_GAIN = 2.0  # summed over lines
_STRETCH_LINES = 5
_WINDOW = 50
_CHANCE = 0.04  # a line of a translation gains far more over a random line
_ALIKE = 0.3  # lines with a higher similarity belong together
_MARGIN = 0.1  # unrelated lines have 0 (Chinese) to 0.2 (English), so twice that plus a margin is significant


def suspicious_line(longer: Sequence[str | None], shorter: Sequence[str | None]) -> int:
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


def likely_shift(output: Sequence[str | None], reference: Sequence[str | None]) -> int:
    """1 or -1 if the lines of the output most likely belong to the next or previous line of the reference, else 0."""
    inner = range(1, len(output) - 1)
    sample = inner[:: max(1, len(inner) // _SAMPLED_LINES)]

    def similarity(shift: int, lines: Sequence[int] = sample) -> float:
        pairs = ((output[i] or "", reference[i + shift] or "") for i in lines)
        return sum(1 - _dice_distance(one, other) for one, other in pairs)

    few = sample[::8]
    if similarity(0, few) >= 1.5 * _ALIKE * len(few):
        return 0  # the usual case, decided by a few lines
    unshifted = similarity(0)
    if unshifted >= _ALIKE * len(sample):
        return 0
    like = {shift: similarity(shift) for shift in (1, -1)}
    best = max(like, key=like.__getitem__)
    return best if like[best] > 2 * unshifted + _MARGIN * len(sample) else 0


class ReferenceColumn:
    """A column to compare others with; its lines are prepared once."""

    def __init__(self, reference: Sequence[str | None]) -> None:
        self._lines = [_trigrams(text or "") for text in reference]

    def unlike_stretch(self, output: Sequence[str | None]) -> tuple[int, int] | None:
        """The lines (first, last, from 1) that fit their own line no better than any other; None if there are none.

        Decided for windows of lines, by how much more a line shares with its own than with one half a file away.
        """
        size = len(output)
        if size < 2 * _WINDOW:
            return None
        lines = [_trigrams(text or "") for text in output]
        gains = [
            _similarity(lines[i], self._lines[i]) - _similarity(lines[i], self._lines[(i + size // 2) % size])
            for i in range(size)
        ]
        windows = [sum(gains[start : start + _WINDOW]) / _WINDOW for start in range(0, size - _WINDOW + 1, _WINDOW)]
        usual = sorted(windows)[len(windows) // 2]
        limit = _CHANCE if usual < 2 * _CHANCE else usual / 4
        odd = [k for k, gain in enumerate(windows) if gain < min(limit, _CHANCE)]
        if not odd:
            return None
        last = odd[0]
        while last + 1 in odd:
            last += 1
        return odd[0] * _WINDOW + 1, size if last == len(windows) - 1 else (last + 1) * _WINDOW

    def shifted_stretch(self, output: Sequence[str | None]) -> tuple[int, int, int] | None:
        """The lines (first, last, from 1) that fit the lines `shift` further on better than their own.

        For each shift, the stretch with the largest sum of gains in similarity; None if that is within chance.
        """
        lines, size = [_trigrams(text or "") for text in output], len(output)
        own = [_similarity(lines[i], self._lines[i]) for i in range(size)]
        best = (0.0, 0, -1, 0)
        for shift in (1, -1):
            inside = range(max(0, -shift), size - max(0, shift))
            gains = [_similarity(lines[i], self._lines[i + shift]) - own[i] - _DRIFT for i in inside]
            total, first, last = _largest_run(gains)
            best = max(best, (total, first + inside.start, last + inside.start, shift))
        gain, first, last, shift = best
        return (first + 1, last + 1, shift) if gain >= _STRETCH_GAIN and last - first >= _STRETCH_LINES - 1 else None


def _largest_run(gains: Sequence[float]) -> tuple[float, int, int]:
    """The run of consecutive items with the largest sum: sum, first and last index (Kadane)."""
    best, total, start = (0.0, 0, -1), 0.0, 0
    for i, gain in enumerate(gains):
        if total <= 0:
            total, start = 0.0, i
        total += gain
        if total > best[0]:
            best = total, start, i
    return best


def _dice_distance(one: str, other: str) -> float:
    a, b = _trigrams(one), _trigrams(other)
    return 1 - _similarity(a, b) if a or b else 0.0


def _similarity(a: set[str], b: set[str]) -> float:
    """The Dice coefficient of two sets of trigrams."""
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _log_ratio(one: int, other: int) -> float:
    """The log ratio of two lengths; the constant avoids extreme ratios of short lines."""
    return math.log((one + 5) / (other + 5))


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(min(len(text), _MAX_CHARACTERS) - 2)}
