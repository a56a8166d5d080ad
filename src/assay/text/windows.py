"""Cutting the texts of a segment into windows that belong together, for models that read a limited number of tokens.

The output is cut into parts of about equal length. Each cut is at the nearest end of a sentence, if there is one within
a quarter of a window, else at the nearest space, else at any character. The other texts are cut likewise at the place
that is as far in them, in characters, as the cut is in the output. Where all texts have the same number of lines, that
is counted within the line, so that a line of one text stays with the same line of the others.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from assay.text.sentences import sentences

__all__ = ["Place", "cut_into_windows"]

Place: TypeAlias = tuple[int, int]
"""The first character of a part of a text, and the one after its last."""

_REACH = 0.25  # of a window: how far a cut may be from where windows would be equally long
_SPACES = re.compile(r"\s+")
_LINE = re.compile(r"\S[^\n]*")
_MARK = "M"  # category of Unicode: belongs to the character before it


def cut_into_windows(output: str, others: Sequence[str], count: int) -> list[tuple[Place, ...]] | None:
    """So many windows, each with its place in the output and in the other texts; None if one would have no output.

    White space at the ends of windows is in none of them. In other texts than the output, a window may be empty.
    """
    texts = [_Text(text) for text in (output, *others)]
    anchors = _anchors(texts)
    line_ends = texts[0].line_ends if len(anchors[0]) > 2 else []
    first = texts[0].cuts([len(output) * i / count for i in range(1, count)], count, line_ends)
    cuts = [first]
    for text, own in zip(texts[1:], anchors[1:], strict=True):
        cuts.append(text.cuts([_followed(cut, anchors[0], own) for cut in first], count))
    windows = list(zip(*(text.parts(each) for text, each in zip(texts, cuts, strict=True)), strict=True))
    return None if any(start == end for (start, end), *_ in windows) else windows


class _Text:
    """A text and the places where it may be cut."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences = [end for _, end in sentences(text)]
        self._spaces = [match.start() for match in _SPACES.finditer(text)]
        self.line_starts, self.line_ends = ([match.span()[side] for match in _LINE.finditer(text)] for side in (0, 1))

    def __len__(self) -> int:
        return len(self._text)

    def cuts(self, wanted: Sequence[float], count: int, best: Sequence[int] = ()) -> list[int]:
        """Cuts near the wanted places, in order; one of the best places, if it is near enough."""
        reach, found = _REACH * len(self) / count, [0]
        for place in wanted:
            found.append(max(found[-1], self._cut(place, reach, best)))
        return found[1:]

    def _cut(self, wanted: float, reach: float, best: Sequence[int]) -> int:
        for places in (best, self._sentences, self._spaces):
            after = bisect.bisect_left(places, wanted)
            near = min(places[max(0, after - 1) : after + 1], key=lambda place: abs(place - wanted), default=None)
            if near is not None and abs(near - wanted) <= reach:
                return near
        place = round(wanted)
        while place < len(self._text) and unicodedata.category(self._text[place])[0] == _MARK:
            place += 1
        return place

    def parts(self, cuts: Sequence[int]) -> list[Place]:
        """The parts between cuts, without white space at their ends."""
        return [self._stripped(*place) for place in pairwise((0, *cuts, len(self._text)))]

    def _stripped(self, start: int, end: int) -> Place:
        part = self._text[start:end]
        start += len(part) - len(part.lstrip())
        return start, max(start, start + len(part.strip()))


def _anchors(texts: Sequence[_Text]) -> list[list[int]]:
    """Places that belong together, by text: start and end, and the starts of lines if all texts have as many."""
    have_same_lines = len({len(text.line_starts) for text in texts}) == 1
    return [[0, *(text.line_starts[1:] if have_same_lines else ()), len(text)] for text in texts]


def _followed(cut: int, own: Sequence[int], other: Sequence[int]) -> float:
    """The place in another text that is as far between its two anchors as a cut is between its own."""
    after = min(max(1, bisect.bisect_left(own, cut)), len(own) - 1)
    start, end = own[after - 1], own[after]
    share = (cut - start) / (end - start) if end > start else 0.0
    return other[after - 1] + share * (other[after] - other[after - 1])
