"""Taggers and parsers by name, one file each: programs that find words, lemmas, parts of speech and dependencies.

To add one, add a file here. `find_annotator(None, "de")` returns the default for German.
"""

from __future__ import annotations

import functools
import re
import unicodedata
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import ClassVar

from assay.errors import ConfigError, MissingExtraError, installing, option_name
from assay.registry import Registry
from assay.types import AnnotatedSegment
from assay.types.language_codes import language_label

__all__ = [
    "EXTRA",
    "Annotator",
    "annotator",
    "find_annotator",
    "importing",
    "missing_model_error",
    "package_version",
    "parser_for",
    "split_words",
]

EXTRA = installing("tagger")
_DEFAULT: Mapping[str, str] = MappingProxyType(
    {**dict.fromkeys(("cs", "en", "es", "fr", "ja"), "spacy"), "de": "hanta", "ru": "natasha"}
)
_FALLBACK = "simplemma"
_MODEL = "MODEL"  # stands for a name that the user knows
_PARSERS = ("natasha", "spacy")  # among the default annotators; the others find no dependencies
_SPACY_KINDS: Mapping[str, str] = MappingProxyType(  # of the models that spaCy itself offers
    {
        **dict.fromkeys(
            [
                "ca",
                "da",
                "de",
                "el",
                "es",
                "fi",
                "fr",
                "hr",
                "it",
                "ja",
                "ko",
                "lt",
                "mk",
                "nb",
                "nl",
                "pl",
                "pt",
                "ro",
                "ru",
                "sl",
                "sv",
                "uk",
            ],
            "news",
        ),
        **dict.fromkeys(("en", "zh"), "web"),
    }
)


class Annotator(ABC):
    """Annotates texts of one language. Subclass it as a frozen dataclass and register it with `@annotator("name")`."""

    name: ClassVar[str]

    @abstractmethod
    def for_language(self, language: str) -> Annotator:
        """This annotator with the model for a language, such as `de`; a `ConfigError` if it has none."""

    @property
    @abstractmethod
    def program(self) -> str:
        """The program and its version, as `spacy 3.8.2`."""

    @property
    def model_version(self) -> str:
        """The model and its version, empty if it is part of the program."""
        return ""

    @abstractmethod
    def annotate(self, texts: Sequence[str]) -> Iterator[AnnotatedSegment]:
        """The annotation of each text, which depends on this text alone. No text is empty, or white space alone."""


annotator: Registry[Annotator] = Registry("annotator", __name__, entry_point_group="assay.annotators")


def find_annotator(spec: str | None, language: str) -> Annotator:
    """The annotator that a spec describes, or else the usual one for a language."""
    if spec or language in _DEFAULT:
        return annotator.create(spec or _DEFAULT[language]).for_language(language)
    try:
        return annotator.create(_FALLBACK).for_language(language)
    except ConfigError:
        model = _spacy_model(language)
        hint = (
            f"name a model of spaCy, {option_name('annotator', f'spacy:model={model}')}; to install it: {EXTRA}, then "
        )
        hint += f"python -m spacy download {model}"
        raise ConfigError(f"there is no annotator for {language_label(language)}", hint=hint) from None


def parser_for(language: str) -> str:
    """The spec of an annotator that finds dependencies."""
    default = _DEFAULT.get(language)
    return default if default in _PARSERS else f"spacy:model={_spacy_model(language)}"


def _spacy_model(language: str) -> str:
    """The smallest model that spaCy offers for a language, or a word for the one that the user has."""
    return f"{language}_core_{_SPACY_KINDS[language]}_sm" if language in _SPACY_KINDS else _MODEL


def missing_model_error(program: str, language: str, languages: Sequence[str]) -> ConfigError:
    """The error of an annotator without a model for a language."""
    hint = f"available: {', '.join(languages)}; or name a model: {option_name('annotator', f'spacy:model={_MODEL}')}"
    return ConfigError(f"{program} has no model for the language '{language}'", hint=hint)


@contextmanager
def importing(package: str, remedy: str = EXTRA) -> Iterator[None]:
    """Explain how to install a package that cannot be imported, and ignore what it warns about while it is loaded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except ModuleNotFoundError as error:
        missing = (error.name or package).partition(".")[0]
        message = f"the annotator {package} needs the package {missing}, which is not installed"
        raise MissingExtraError(message, hint=remedy) from error
    except ImportError as error:
        raise MissingExtraError(f"the annotator {package} cannot be loaded: {error}", hint=remedy) from error


def package_version(package: str, annotator: str, remedy: str = EXTRA) -> str:
    """The version of an installed package that an annotator needs."""
    from importlib.metadata import version

    with importing(annotator, remedy):
        return version(package)


def split_words(text: str) -> list[str]:
    """Words and punctuation marks, for annotators without a tokeniser of their own.

    Every non-space character belongs to exactly one word.
    """
    return _word().findall(text)


@functools.cache
def _word() -> re.Pattern[str]:
    """Letters and digits with the marks on them, which `\\w` leaves out, and with single signs between them."""
    marks = "".join(
        filter(lambda character: unicodedata.category(character)[0] == "M", map(chr, range(0x300, 0x10000)))
    )
    letters = rf"[\w{marks}]+"
    return re.compile(rf"{letters}(?:[.,:'’·_/-]{letters})*|[^\w\s]")
