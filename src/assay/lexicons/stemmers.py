"""Snowball's stemmers, as they were when METEOR 1.5 was made.

PyStemmer 2 has the algorithms of that time, with three later changes, which are undone here by letters that no rule
knows: it takes German -nisse to -nis, Russian ё for е, and French ë and ï for two letters. Compared with METEOR's own
stemmers on the words of the WMT test sets, nothing differs in English, French, German, Russian, Spanish and Turkish.
PyStemmer 3 has other rules for many words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from assay.errors import MissingExtraError
from assay.lexicons.meteor_files import LANGUAGES

__all__ = ["STEMMED_LANGUAGES", "stem", "stemmer_version"]

STEMMED_LANGUAGES = frozenset(LANGUAGES) - {"cs"}
_UNKNOWN = "\ue000"  # private use: a consonant to all rules, and in none of their endings
_VOWEL = "ô"  # a French vowel that is in no ending


def stem(words: Sequence[str], language: str) -> list[str]:
    """The stems of words."""
    if language not in _CHANGES:
        return list(_stemmer(language).stemWords(words))
    mask, unmask = _CHANGES[language]
    stems = _stemmer(language).stemWords([mask(word) for word in words])
    return [unmask(found, word) for found, word in zip(stems, words, strict=True)]


def stemmer_version() -> str:
    """The package and the version that it reports, for signatures."""
    return f"PyStemmer-{_package().version()}"


@functools.cache
def _stemmer(language: str) -> Any:
    return _package().Stemmer(LANGUAGES[language], 0)  # no cache: each word comes once


def _package() -> Any:
    try:
        import Stemmer
    except ImportError as error:
        raise MissingExtraError("the stems of METEOR need PyStemmer", hint='pip install "assay[meteor]"') from error
    return Stemmer


def _french(word: str) -> str:
    return word.replace("ë", _VOWEL).replace("ï", _VOWEL)


def _french_stem(stem: str, word: str) -> str:
    """The stem with the vowels of the word: letters change at its end only."""
    if _VOWEL not in stem:
        return stem
    return "".join(own if found == _VOWEL else found for found, own in zip(stem, word, strict=False))


_CHANGES: dict[str, tuple[Callable[[str], str], Callable[[str, str], str]]] = {
    "de": (lambda word: word.replace("niss", f"{_UNKNOWN}iss"), lambda stem, _: stem.replace(_UNKNOWN, "n")),
    "fr": (_french, _french_stem),
    "ru": (lambda word: word.replace("ё", _UNKNOWN), lambda stem, _: stem.replace(_UNKNOWN, "ё")),
}
"""Before and after the stemmer; the latter gets the stem and the word."""
