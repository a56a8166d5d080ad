"""Snowball's stemmers, as they were when METEOR 1.5 was made.

PyStemmer 2 has the algorithms of that time plus three later changes (German -nisse, Russian ё, French ë and ï). We
undo these by replacing the letters before stemming. PyStemmer 3 has other rules for many words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from assay.errors import MissingExtraError, installing
from assay.lexicons.meteor_files import LANGUAGES

__all__ = ["STEMMED_LANGUAGES", "stem", "stemmer_version"]

STEMMED_LANGUAGES = frozenset(LANGUAGES) - {"cs"}
_PLACEHOLDER = "\ue000"  # private use: a consonant to all rules, and in none of their endings
_VOWEL = "ô"  # a French vowel that is in no ending


def stem(words: Sequence[str], language: str) -> list[str]:
    """The stems of words."""
    if language not in _CHANGES:
        return list(_stemmer(language).stemWords(words))
    mask, unmask = _CHANGES[language]
    stems = _stemmer(language).stemWords([mask(word) for word in words])
    return [unmask(masked, word) for masked, word in zip(stems, words, strict=True)]


def stemmer_version() -> str:
    """The package and its version, for signatures. The module itself reports 2.0.1 for version 3.0.0, too."""
    from importlib.metadata import version

    _package()
    return f"PyStemmer-{version('PyStemmer')}"


@functools.cache
def _stemmer(language: str) -> Any:
    return _package().Stemmer(LANGUAGES[language], 0)  # no cache: each word comes once


def _package() -> Any:
    try:
        import Stemmer
    except ImportError as error:
        hint = f"{installing('meteor')}, or choose modules without stem, such as modules=exact"
        raise MissingExtraError("METEOR's stem module needs PyStemmer", hint=hint) from error
    return Stemmer


def _french(word: str) -> str:
    return word.replace("ë", _VOWEL).replace("ï", _VOWEL)


def _french_stem(stem: str, word: str) -> str:
    """The stem with the vowels of the word: letters change at its end only."""
    if _VOWEL not in stem:
        return stem
    letters = zip(stem, word, strict=False)
    return "".join(of_word if of_stem == _VOWEL else of_stem for of_stem, of_word in letters)


_CHANGES: dict[str, tuple[Callable[[str], str], Callable[[str, str], str]]] = {
    "de": (lambda word: word.replace("niss", f"{_PLACEHOLDER}iss"), lambda stem, _: stem.replace(_PLACEHOLDER, "n")),
    "fr": (_french, _french_stem),
    "ru": (lambda word: word.replace("ё", _PLACEHOLDER), lambda stem, _: stem.replace(_PLACEHOLDER, "ё")),
}
"""Before and after the stemmer; the latter gets the stem and the word."""
