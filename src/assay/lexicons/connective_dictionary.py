"""Dictionaries of connectives: what they can be translated by, and which senses a translation has."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.lexicons.connective_patterns import WORD_START, compile_pattern, phrase_pattern, word_starts

__all__ = ["ConnectiveDictionary", "Occurrence", "Translation"]


@dataclass(frozen=True, slots=True)
class Translation:
    """A possible translation of a connective. Its form has no spaces, so that variants with and without are equal."""

    form: str
    pattern: str
    senses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A connective or a translation in a text: its form in the dictionary, what is written there, and where."""

    form: str
    text: str
    start: int
    end: int
    senses: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ConnectiveDictionary:
    """The connectives of a source language and their translations."""

    translations: Mapping[str, tuple[Translation, ...]]
    exceptions: tuple[str, ...]
    """Phrases of the source that end in a word that is not a connective there."""

    def find_connectives(self, source: str) -> Iterator[Occurrence]:
        """The connectives in a source, from left to right."""
        pattern, exceptions = self._sources
        starts = word_starts(source)
        for match in pattern.finditer(source):
            last_word = bisect_right(starts, match.end() - 1) - 1
            first_word = max(0, last_word - self._words_of_exceptions)  # to search the whole text takes too long
            if exceptions.search(source, starts[first_word], match.end()) is None:
                connective = self._connectives[(match.lastindex or 1) - 1]
                yield Occurrence(connective, match[0], match.start(), match.end())

    def find_translations(self, connective: str, text: str) -> list[Occurrence]:
        """The possible translations of a connective in a text, from left to right; the longest one at a place."""
        pattern, translations = self._patterns[connective]
        return [
            Occurrence(entry.form, match[0].rstrip(), match.start(), match.end(), entry.senses)
            for match in pattern.finditer(text)
            for entry in [translations[(match.lastindex or 1) - 1]]
        ]

    @functools.cached_property
    def _words_of_exceptions(self) -> int:
        return max((len(phrase.split()) for phrase in self.exceptions), default=0)

    @functools.cached_property
    def _connectives(self) -> list[str]:
        """The longest one first: it counts where several start at one place."""
        return sorted(self.translations, key=len, reverse=True)

    @functools.cached_property
    def _sources(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        names = "|".join(f"({phrase_pattern(name)})" for name in self._connectives)
        exceptions = "|".join(map(phrase_pattern, self.exceptions)) or r"(?!)"
        return compile_pattern(f"{WORD_START}(?:{names})"), compile_pattern(f"{WORD_START}(?:{exceptions})$")

    @functools.cached_property
    def _patterns(self) -> dict[str, tuple[re.Pattern[str], tuple[Translation, ...]]]:
        longest_first = {
            name: tuple(sorted(entries, key=lambda entry: -len(entry.form)))
            for name, entries in self.translations.items()
        }
        return {
            name: (compile_pattern("|".join(f"({entry.pattern})" for entry in entries)), entries)
            for name, entries in longest_first.items()
        }
