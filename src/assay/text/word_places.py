"""Where the words of a tokeniser are in its text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import TypeAlias

__all__ = ["Place", "word_places"]

Place: TypeAlias = tuple[int, int]
"""The start and the end of a word, in characters of its text."""

_Letters: TypeAlias = list[tuple[str, Place]]
"""The characters that are compared, without white space, and where they are."""

_ESCAPE_OR_LETTER = re.compile(r"&(?:quot|apos|amp|lt|gt|#39);|\S")


def word_places(text: str, words: Sequence[str]) -> list[Place | None]:
    """The place of each word, None where it is unknown.

    Differences in spaces, case and escapes (`&quot;`) are ignored. If the tokeniser changed more than that, the words
    before the first change and after the last one have a place.
    """
    lowered = text.lower()
    for line in (text, lowered) if len(lowered) == len(text) else (text,):
        if (verbatim := _verbatim_places(line, words)) is not None:
            return verbatim
    best: list[Place | None] = [None] * len(words)
    for escapes_of_text, escapes_of_words in product(
        (False, True), repeat=2
    ):  # some tokenisers make them, some undo them
        letters = _letters(text, unescape=escapes_of_text)
        places = _equal_places(letters, [_letters(word, unescape=escapes_of_words) for word in words])
        if places.count(None) < best.count(None):
            best = places
        if None not in best:
            break
    return best


def _verbatim_places(text: str, words: Sequence[str]) -> list[Place | None] | None:
    """The places of all words if nothing but white space is between them: the usual case, decided fast."""
    places: list[Place | None] = []
    end = 0
    for word in words:
        while text[end : end + 1].isspace():
            end += 1
        if not word or not text.startswith(word, end):
            return None
        places.append((end, end + len(word)))
        end += len(word)
    return None if text[end:].strip() else places


def _equal_places(text: _Letters, words: Sequence[_Letters]) -> list[Place | None]:
    """The places of the words that are equal in the text and in the list of words, from the start and from the end."""
    letters, word_letters = (
        "".join(letter for letter, _ in text),
        "".join(letter for word in words for letter, _ in word),
    )
    shift = len(letters) - len(word_letters)
    equal_start = _common_prefix(letters, word_letters)
    equal_end = len(word_letters) - _common_prefix(letters[::-1], word_letters[::-1])

    def place(first: int, last: int) -> Place | None:
        is_before_changes, is_after_changes = last <= equal_start, first >= equal_end
        is_ambiguous = is_before_changes and is_after_changes and shift != 0
        if first == last or is_ambiguous or not (is_before_changes or is_after_changes):
            return None
        moved = 0 if is_before_changes else shift
        return text[first + moved][1][0], text[last + moved - 1][1][1]

    return [place(first, last) for first, last in pairwise([0, *accumulate(map(len, words))])]


def _letters(text: str, *, unescape: bool) -> _Letters:
    if unescape and "&" in text:
        pieces = _ESCAPE_OR_LETTER.finditer(text)
        return [(letter, piece.span()) for piece in pieces for letter in html.unescape(piece[0]).casefold()]
    return [(letter, (i, i + 1)) for i, c in enumerate(text) if not c.isspace() for letter in c.casefold()]


def _common_prefix(one: str, other: str) -> int:
    """How many characters at the start are equal."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
