"""Where two columns of different length stop belonging together.

Suppose that the longer column has D more lines than the shorter, missing there in one place. For every place k the cost
is that of pairing the lines before k as they are and those after it shifted by D; the place of least cost is suspect.
The cost of a pair is how little the two lines share: the Dice distance of their sets of character trigrams, which works
for texts in one language, and how far the ratio of their lengths is from the usual one, which works for any.

Columns of equal length may be shifted against each other too: then a line is more like its neighbours' partners.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

__all__ = ["Yardstick", "likely_shift", "suspicious_line"]

_MAX_COMPARED = 20_000  # longer columns are compared by length alone, which is a hundred times faster
_MAX_CHARACTERS = 1000  # of a line
_SAMPLED_LINES = 32
_DRIFT = 0.1  # what a line must gain by a shift to count for it
_STRETCH_GAIN = 2.0  # lines of likeness
_STRETCH_LINES = 5
_WINDOW = 50
_CHANCE = 0.04  # lines of a translation share far more with their reference than with any other line
_ALIKE = 0.3  # lines that share more of their trigrams than this belong together
_MARGIN = 0.1  # lines of different texts share 0 (Chinese) to 0.2 (English), so twice that and a margin is no accident


def suspicious_line(longer: Sequence[str | None], shorter: Sequence[str | None]) -> int:
    """The line (from 1) of the longer column where the shorter one most likely lacks lines."""
    shift = len(longer) - len(shorter)
    usual = _log_ratio(sum(len(text or "") for text in longer), sum(len(text or "") for text in shorter))

    def distance(pair: tuple[str | None, str | None]) -> float:
        one, other = pair[0] or "", pair[1] or ""
        unlikeness = _dice_distance(one, other) if len(longer) <= _MAX_COMPARED else 0.0
        return unlikeness + min(abs(_log_ratio(len(one), len(other)) - usual), 1.0)

    before = accumulate(map(distance, zip(longer, shorter, strict=False)), initial=0.0)
    shifted = list(map(distance, zip(longer[shift:], shorter, strict=True)))
    after = accumulate(reversed(shifted), initial=0.0)
    costs = [x + y for x, y in zip(before, reversed(list(after)), strict=True)]
    return min(range(len(costs)), key=costs.__getitem__) + 1


def likely_shift(output: Sequence[str | None], reference: Sequence[str | None]) -> int:
    """1 or -1 if a line of the output most likely belongs to the next or previous one of the reference, else 0."""
    inner = range(1, len(output) - 1)
    sample = inner[:: max(1, len(inner) // _SAMPLED_LINES)]

    def likeness(shift: int, lines: Sequence[int] = sample) -> float:
        pairs = ((output[i] or "", reference[i + shift] or "") for i in lines)
        return sum(1 - _dice_distance(one, other) for one, other in pairs)

    glance = sample[::8]
    if likeness(0, glance) >= 1.5 * _ALIKE * len(glance):
        return 0  # the usual case, told by a few lines
    as_it_stands = likeness(0)
    if as_it_stands >= _ALIKE * len(sample):
        return 0
    like = {shift: likeness(shift) for shift in (1, -1)}
    best = max(like, key=like.__getitem__)
    return best if like[best] > 2 * as_it_stands + _MARGIN * len(sample) else 0


class Yardstick:
    """A column that others are laid beside, its lines prepared once."""

    def __init__(self, reference: Sequence[str | None]) -> None:
        self._lines = [_trigrams(text or "") for text in reference]

    def unlike_stretch(self, output: Sequence[str | None]) -> tuple[int, int] | None:
        """The lines (first, last, from 1) that are no more like their own than like any others; None: there are none.

        Told for windows of lines, by how much more a line shares with its own than with one half a file away.
        """
        size = len(output)
        if size < 2 * _WINDOW:
            return None
        lines = [_trigrams(text or "") for text in output]
        gains = [
            _likeness(lines[i], self._lines[i]) - _likeness(lines[i], self._lines[(i + size // 2) % size])
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
        """The lines (first, last, from 1) that fit lines `shift` further on better than their own.

        For each shift, the stretch where the gain in likeness adds up to most; None if that is no more than chance.
        """
        lines, size = [_trigrams(text or "") for text in output], len(output)
        own = [_likeness(lines[i], self._lines[i]) for i in range(size)]
        best = (0.0, 0, -1, 0)
        for shift in (1, -1):
            inside = range(max(0, -shift), size - max(0, shift))
            gains = [_likeness(lines[i], self._lines[i + shift]) - own[i] - _DRIFT for i in inside]
            total, first, last = _largest_run(gains)
            best = max(best, (total, first + inside.start, last + inside.start, shift))
        gain, first, last, shift = best
        return (first + 1, last + 1, shift) if gain >= _STRETCH_GAIN and last - first >= _STRETCH_LINES - 1 else None


def _largest_run(gains: Sequence[float]) -> tuple[float, int, int]:
    """The consecutive items with the largest sum: the sum, the first and the last (Kadane)."""
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
    return 1 - _likeness(a, b) if a or b else 0.0


def _likeness(a: set[str], b: set[str]) -> float:
    """The Dice coefficient: the share of trigrams that are common."""
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _log_ratio(one: int, other: int) -> float:
    """Of two lengths; the constant keeps short lines from having extreme ratios."""
    return math.log((one + 5) / (other + 5))


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(min(len(text), _MAX_CHARACTERS) - 2)}
