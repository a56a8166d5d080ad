"""Cutting a text at the segments of a reference, where the fewest words must be changed (Matusov et al. 2005)."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from assay import _core
from assay.lazily import numpy as np

__all__ = ["CHARACTERS", "WORDS", "CutLine", "Reference", "cut_text"]

WORDS, CHARACTERS = "words", "characters"

_Place: TypeAlias = tuple[int, int]

_WORD = re.compile(r"\S+")
_CHARACTER = re.compile(r"[A-Za-z0-9]+|\S")  # Latin words and numbers stay whole
_LINE_END = re.compile(r"\s*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…。！？｡؟۔।॥]\W*$")
_PUNCTUATION = "PS"  # categories of Unicode: punctuation and symbols
_CLOSING = ("Pe", "Pf")
_FORBIDDEN, _ALLOWED, _PREFERRED = range(3)


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line of the text, for one segment of the reference."""

    text: str
    words: int
    edits: int
    is_doubtful: bool
    """Whether other places for its start or its end are equally good."""


class Reference:
    """The words of a reference, segment by segment.

    Words are what white space separates, in lower case, and the punctuation marks at their ends are words of their own.
    If they are compared `verbatim`, they are what white space separates, as it is. Or words are characters.
    """

    def __init__(self, segments: Iterable[str | None], tokens: str, *, verbatim: bool) -> None:
        self._has_spaces = tokens == WORDS
        self._form = str if verbatim else functools.cache(str.lower)
        self._pieces = _whole if verbatim or not self._has_spaces else _pieces
        self._numbers: dict[str, int] = {}
        numbers: list[int] = []
        starts = [0]
        for text in segments:
            numbers += self.numbers(text or "")
            starts.append(len(numbers))
        self.words = np.array(numbers, dtype=np.uint32)
        self.starts = np.array(starts, dtype=np.int64)

    def written(self, text: str) -> list[_Place]:
        """Where the words of a text are, as they are written: with the punctuation at their ends."""
        return [found.span() for found in _WORD.finditer(text)] if self._has_spaces else _characters(text)

    def pieces(self, text: str, place: _Place) -> Sequence[str]:
        """The words that are compared of one that is written."""
        return self._pieces(text[place[0] : place[1]])

    def numbers(self, text: str) -> list[int]:
        """A number for each word that is compared; equal words have the same."""
        known, form = self._numbers, self._form
        pieces = (piece for place in self.written(text) for piece in self.pieces(text, place))
        return [known.setdefault(form(piece), len(known) + 1) for piece in pieces]

    def line(self, text: str) -> str:
        """A text without line ends. Where words are characters, a space stands only between Latin words and numbers."""
        return _LINE_END.sub(self._between, text) if "\n" in text else text

    def _between(self, found: re.Match[str]) -> str:
        before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
        return " " if self._has_spaces or (before.isascii() and after.isascii()) else ""

    @property
    def symbols(self) -> int:
        """One more than the largest number of a word."""
        return len(self._numbers) + 1


def cut_text(text: str, reference: Reference) -> list[CutLine]:
    """One line for each segment of the reference, which together have every word of the text.

    Of places that are equally good, the first after the end of a sentence or of a line of the text is chosen, or the
    first one if there is none. Punctuation is not cut off from its word.
    """
    numbers = np.array(reference.numbers(text), dtype=np.uint32)
    written = reference.written(text)
    places: list[int] = []
    owners: list[_Place] = []
    for place, is_end in zip(written, _ends(text, written), strict=True):
        count = len(reference.pieces(text, place))
        places += [_FORBIDDEN] * (count - 1) + [_PREFERRED if is_end else _ALLOWED]
        owners += [place] * count
    kinds = np.array(places, dtype=np.uint8)
    table = _core.cut_words(reference.words, reference.starts, numbers, kinds, reference.symbols).tolist()
    doubts = [False, *(first != last for _, first, last, _ in table)]
    lines = []
    for (start, end), row, are_doubtful in zip(
        pairwise([0, *(row[0] for row in table)]), table, pairwise(doubts), strict=True
    ):
        line = reference.line(text[owners[start][0] : owners[end - 1][1]]) if end > start else ""
        lines.append(CutLine(line, end - start, row[3], any(are_doubtful)))
    return lines


def _whole(word: str) -> Sequence[str]:
    return (word,)


@functools.lru_cache(maxsize=1 << 16)
def _pieces(word: str) -> Sequence[str]:
    """A word without the punctuation marks at its ends, which are pieces of their own."""
    is_mark = [unicodedata.category(character)[0] in _PUNCTUATION for character in word]
    start = is_mark.index(False) if False in is_mark else len(word)
    end = len(word) - is_mark[::-1].index(False) if False in is_mark else len(word)
    return (*word[:start], *filter(None, (word[start:end],)), *word[end:])


def _characters(text: str) -> list[_Place]:
    """Characters with the marks that follow them."""
    places: list[_Place] = []
    for found in _CHARACTER.finditer(text):
        start, end = found.span()
        if places and places[-1][1] == start and unicodedata.category(text[start])[0] == "M":
            start = places.pop()[0]
        places.append((start, end))
    return places


def _ends(text: str, places: Sequence[_Place]) -> list[bool]:
    """Whether a sentence or a line ends after each word. Quotation marks and brackets that close belong to it."""
    ends: list[bool] = []
    before = 0
    for first, last in places:
        word, gap = text[first:last], text[before:first]
        if ends and "\n" in gap:
            ends[-1] = True
        is_end = _SENTENCE_END.search(word) is not None
        if ends and ends[-1] and "\n" not in gap and all(map(_is_closing, word)):
            ends[-1], is_end = False, True
        ends.append(is_end)
        before = last
    return ends


@functools.cache
def _is_closing(character: str) -> bool:
    return character in "\"'" or unicodedata.category(character) in _CLOSING
