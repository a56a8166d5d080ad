"""simplemma: lemmas of some fifty languages by dictionary and rules (github.com/adbar/simplemma)."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assay.annotators import Annotator, annotator, importing, missing_model_error, package_version, split_words
from assay.types import AnnotatedSegment, AnnotatedSentence, Word

__all__ = ["Simplemma"]

_CODES = {"bs": "hbs", "hr": "hbs", "sr": "hbs", "no": "nb"}


@annotator("simplemma")
@dataclass(frozen=True)
class Simplemma(Annotator):
    """Words and lemmas, without tags or dependencies. Options: language (default: the language of the texts)."""

    language: str = ""

    def for_language(self, language: str) -> Simplemma:
        wanted = self.language or language
        chosen = _CODES.get(wanted, wanted)
        if chosen not in _languages():
            raise missing_model_error("simplemma", chosen, sorted(_languages()))
        return dataclasses.replace(self, language=chosen)

    @property
    def program(self) -> str:
        return f"simplemma {package_version('simplemma', 'simplemma')}"

    @property
    def model_version(self) -> str:
        return self.language

    def annotate(self, texts: Sequence[str]) -> Iterator[AnnotatedSegment]:
        lemma = _lemmatizer(self.language)
        for text in texts:
            words = tuple(Word(form, lemma(form)) for form in split_words(text))
            yield [AnnotatedSentence(text.strip(), words)] if words else []


@functools.cache
def _lemmatizer(language: str) -> Callable[[str], str]:
    with importing("simplemma"):
        from simplemma import lemmatize
    return functools.lru_cache(maxsize=1 << 16)(functools.partial(lemmatize, lang=language))


@functools.cache
def _languages() -> frozenset[str]:
    with importing("simplemma"):
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
    return frozenset(SUPPORTED_LANGUAGES)
