"""Cutting a text at the segments of a reference, where the fewest words must be changed (Matusov et al. 2005)."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
_AT_ENDS = "PSZC"  # categories of Unicode: punctuation, symbols, separators, control characters
_CLOSING = ("Pe", "Pf")


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

    Words are what white space separates, or characters. Unless they are compared `verbatim`, their case and the
    punctuation at their ends do not count.
    """

    def __init__(self, segments: Iterable[str | None], tokens: str, *, verbatim: bool) -> None:
        self._places = _words if tokens == WORDS else _characters
        self._joint = " " if tokens == WORDS else ""
        self._form = str if verbatim else functools.cache(_plain_form)
        self._numbers: dict[str, int] = {}
        numbers, starts = [], [0]
        for text in segments:
            numbers += self.numbers(text or "", self.places(text or ""))
            starts.append(len(numbers))
        self.words = np.array(numbers, dtype=np.uint32)
        self.starts = np.array(starts, dtype=np.int64)

    def places(self, text: str) -> list[_Place]:
        """Where the words of a text are."""
        return list(self._places(text))

    def numbers(self, text: str, places: Sequence[_Place]) -> list[int]:
        """A number for each word; equal words have the same."""
        known, form = self._numbers, self._form
        return [known.setdefault(form(text[first:last]), len(known) + 1) for first, last in places]

    def line(self, text: str) -> str:
        """A text without line ends. Where words are characters, a space stands only between Latin words and numbers."""
        return _LINE_END.sub(self._between, text) if "\n" in text else text

    def _between(self, found: re.Match[str]) -> str:
        before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
        return self._joint or (" " if before.isascii() and after.isascii() else "")

    @property
    def symbols(self) -> int:
        """One more than the largest number of a word."""
        return len(self._numbers) + 1


def cut_text(text: str, reference: Reference) -> list[CutLine]:
    """One line for each segment of the reference, which together have every word of the text.

    Of places that are equally good, the first after the end of a sentence or of a line of the text is chosen, or the
    first one if there is none.
    """
    places = reference.places(text)
    numbers = np.array(reference.numbers(text, places), dtype=np.uint32)
    ends = np.array(_ends(text, places), dtype=np.bool_)
    table = _core.cut_words(reference.words, reference.starts, numbers, ends, reference.symbols)
    lines, start, was_doubtful = [], 0, False
    for end, first, last, edits in table.tolist():
        line = reference.line(text[places[start][0] : places[end - 1][1]]) if end > start else ""
        lines.append(CutLine(line, end - start, edits, was_doubtful or first != last))
        start, was_doubtful = end, first != last
    return lines


def _words(text: str) -> Iterator[_Place]:
    return (found.span() for found in _WORD.finditer(text))


def _characters(text: str) -> list[_Place]:
    """Characters with the marks that follow them."""
    places: list[_Place] = []
    for found in _CHARACTER.finditer(text):
        start, end = found.span()
        if places and places[-1][1] == start and unicodedata.category(text[start])[0] == "M":
            start = places.pop()[0]
        places.append((start, end))
    return places


def _plain_form(word: str) -> str:
    """A word in lower case without punctuation at its ends; punctuation alone stays as it is."""
    start, end = 0, len(word)
    while start < end and unicodedata.category(word[start])[0] in _AT_ENDS:
        start += 1
    while start < end and unicodedata.category(word[end - 1])[0] in _AT_ENDS:
        end -= 1
    return word[start:end].lower() or word


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
