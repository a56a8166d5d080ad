"""Where terms occur in texts: as whole words, the longest first."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.lexicons.term_list import Terms

__all__ = [
    "Occurrence",
    "Phrase",
    "TermIndex",
    "Word",
    "assign",
    "by_first",
    "find_phrases",
    "is_acronym",
    "split_words",
    "term_index",
]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, kana and Han: a letter is a word."""

_SOFT_HYPHEN = "\u00ad"
_TYPOGRAPHY = {ord(sign): plain for signs, plain in (("’‘ʼ", "'"), ("“”„", '"'), ("‐‑", "-")) for sign in signs}
"""Signs that are compared as those of a keyboard."""
_ACRONYM_LETTERS = 2  # of words in capitals that are terms of their own: US is not us

_LAST = 0x20000  # no script has marks beyond

Phrase: TypeAlias = tuple[str, ...]
"""Words as they are compared."""
Occurrence: TypeAlias = tuple[int, int, Phrase]
"""The first word, the one after the last, and what occurs there."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its place, and the forms that it is compared in, such as its lemma."""

    start: int
    end: int
    forms: tuple[str, ...]


@functools.cache
def _pattern() -> re.Pattern[str]:
    marks = "".join(
        f"{chr(first)}-{chr(last)}"
        for first, last in _runs(c for c in range(_LAST) if unicodedata.category(chr(c))[0] == "M")
    )
    return re.compile(
        rf"[{_UNSPACED}][{marks}]*|(?:[^\W{_UNSPACED}]|[{marks}])(?:[^\W{_UNSPACED}]|[{marks}{_SOFT_HYPHEN}])*|[^\w\s]"
    )


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def split_words(text: str, *, lowercase: bool) -> list[Word]:
    """Runs of letters, marks and digits; letters of scripts without spaces, and other characters, by themselves.

    Words in capitals have their capitals as a second form where case is ignored.
    """
    return [Word(*match.span(), _forms(match[0], lowercase=lowercase)) for match in _pattern().finditer(text)]


@functools.lru_cache(maxsize=1 << 16)
def _forms(word: str, *, lowercase: bool) -> tuple[str, ...]:
    """A word as it is compared: composed, of one width, with plain signs, and without case."""
    plain = unicodedata.normalize("NFKC", word.translate(_TYPOGRAPHY).replace(_SOFT_HYPHEN, "") or word)
    if not lowercase:
        return (plain,)
    folded = unicodedata.normalize("NFKC", plain.casefold())
    return (folded, plain) if is_acronym(plain) else (folded,)


def is_acronym(word: str) -> bool:
    """Whether a word is in capitals, such as US, so that a term with it is another one than the same letters."""
    return word.isupper() and sum(map(str.isalpha, word)) >= _ACRONYM_LETTERS


@dataclass(frozen=True, slots=True)
class TermIndex:
    """The terms of a list as words, and the translations of each."""

    translations: Mapping[Phrase, tuple[Phrase, ...]]
    by_first: Mapping[str, tuple[Phrase, ...]]
    acronyms: tuple[Phrase, ...] = ()
    """The terms with words in capitals."""


@functools.lru_cache(maxsize=4096)
def term_index(terms: Terms, *, lowercase: bool) -> TermIndex:
    """The index of a list. Terms that are the same words have the translations of all of them.

    Words of terms in capitals keep them. Those of translations do not: a translation is searched for only where its
    term is required, and other languages write NATO as Nato.
    """

    def phrase(text: str, form: int) -> Phrase:
        return tuple(word.forms[form] for word in split_words(text, lowercase=lowercase))

    translations: dict[Phrase, dict[Phrase, None]] = {}
    for source, targets in terms:
        own = translations.setdefault(phrase(source, -1), {})
        own.update(dict.fromkeys(phrase(each, 0) for each in targets))
    return TermIndex(
        {source: tuple(targets) for source, targets in translations.items()},
        by_first(translations),
        tuple(source for source in translations if any(map(is_acronym, source))),
    )


def by_first(phrases: Iterable[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    """Phrases by their first word."""
    found: dict[str, list[Phrase]] = {}
    for each in dict.fromkeys(phrases):
        if each:
            found.setdefault(each[0], []).append(each)
    return {first: tuple(each) for first, each in found.items()}


def find_phrases(words: Sequence[Word], phrases: Mapping[str, Sequence[Phrase]]) -> list[Occurrence]:
    """Where phrases (by their first words) occur, from left to right. No word is in two of them: the longest is taken
    first, of equally long ones the first.
    """
    found = [
        (-len(phrase), start, phrase)
        for start, word in enumerate(words)
        for form in word.forms
        for phrase in phrases.get(form, ())
        if _occurs(phrase, words, start)
    ]
    is_taken = bytearray(len(words))
    chosen: list[Occurrence] = []
    for length, start, phrase in sorted(found):
        if not any(is_taken[start : start - length]):
            is_taken[start : start - length] = b"\1" * -length
            chosen.append((start, start - length, phrase))
    return sorted(chosen)


def _occurs(phrase: Phrase, words: Sequence[Word], start: int) -> bool:
    return len(words) - start >= len(phrase) and all(
        form in word.forms for form, word in zip(phrase, words[start : start + len(phrase)], strict=True)
    )


def assign(found: Sequence[Phrase], wanted: Sequence[tuple[Sequence[Phrase], int]]) -> list[int | None]:
    """Which of the wanted terms, each with its translations and how often it is wanted, each found phrase is for.

    As many as possible are used: a translation of several terms is for one of those that lack one.
    """
    options: dict[Phrase, list[int]] = {}
    for number, (phrases, _) in enumerate(wanted):
        for phrase in phrases:
            options.setdefault(phrase, []).append(number)
    assignment = _Assignment(found, options, [count for _, count in wanted])
    useless: set[Phrase] = set()  # another occurrence of a phrase that was of no use is not either
    for place in sorted(range(len(found)), key=lambda place: len(options.get(found[place], ()))):
        if found[place] not in useless and not assignment.add(place):
            useless.add(found[place])
    return assignment.chosen


class _Assignment:
    """Phrases that have a term, one after the other."""

    def __init__(self, found: Sequence[Phrase], options: Mapping[Phrase, Sequence[int]], counts: Sequence[int]) -> None:
        self.chosen: list[int | None] = [None] * len(found)
        self._found, self._options, self._free = found, options, list(counts)
        self._held: dict[int, dict[Phrase, list[int]]] = {}
        """By term, the places of the phrases that could also be for others."""

    def add(self, place: int) -> bool:
        """Use one more phrase, perhaps by moving others to other terms that they translate: a path, breadth first."""
        came_from: dict[int, int] = {}
        queue = deque([place])
        while queue:
            current = queue.popleft()
            for number in self._options.get(self._found[current], ()):
                if number in came_from:
                    continue
                came_from[number] = current
                if self._free[number]:
                    self._free[number] -= 1
                    self._move_along(number, place, came_from)
                    return True
                queue.extend(places[-1] for places in self._held.get(number, {}).values() if places)
        return False

    def _move_along(self, number: int, first: int, came_from: Mapping[int, int]) -> None:
        """Give each phrase on the path its new term."""
        moved: int | None = number
        while moved is not None:
            place = came_from[moved]
            phrase, before = self._found[place], self.chosen[place]
            self.chosen[place] = moved
            if before is not None:
                self._held[before][phrase].remove(place)
            if len(self._options[phrase]) > 1:
                self._held.setdefault(moved, {}).setdefault(phrase, []).append(place)
            moved = None if place == first else before
