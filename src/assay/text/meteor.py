"""METEOR's tokeniser (its option -norm) for English, Czech, French, Spanish, German and Russian."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay import _core
from assay.lexicons.meteor_files import METEOR_FILES, find_meteor_files
from assay.options.checks import check_choice
from assay.text import Tokenizer, tokenizer
from assay.types import Column

__all__ = ["LANGUAGES", "MeteorTokenizer"]

LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
"""The languages that it has rules for."""
_CONTRACTIONS = {"en": "english", "fr": "french"}


def _aliases() -> dict[str, dict[str, Any]]:
    plain = {f"meteor-{language}": {"language": language} for language in LANGUAGES if language != "en"}
    every_language = {"meteor-en": {}, **plain}
    return plain | {f"{name}-no-punct": {**preset, "no_punct": True} for name, preset in every_language.items()}


@tokenizer("meteor-en", aliases=_aliases())
@dataclass(frozen=True)
class MeteorTokenizer(Tokenizer):
    """METEOR's -norm, with the abbreviations of a language from METEOR's folder, if it is there.

    Options: language; no_punct, which is -noPunct; files, the name or path of the folder (none: no abbreviations).
    """

    language: str = "en"
    no_punct: bool = False
    files: str = METEOR_FILES

    core = "space"
    needs_spaces = True

    def __post_init__(self) -> None:
        check_choice("language", self.language, LANGUAGES)

    def cut(self, line: str) -> str:
        return self._normalizer(line)

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        """Lower-cases last: the rules use case to distinguish abbreviations from ends of sentences."""
        normalize = self._normalizer
        return (lambda text: normalize(text).lower()) if lowercase else normalize, self.core

    def read_column(self, column: Column, *, lowercase: bool, threads: int = 1) -> Column:
        normalized = self._normalizer.column(column, threads)
        return _core.lower(normalized) if lowercase else normalized

    @property
    def _normalizer(self) -> _core.MeteorNormalizer:
        return _normalizer(self, self.resources["jar"])

    @property
    def resources(self) -> Mapping[str, str]:
        files = find_meteor_files(self.files)
        return {"jar": "none" if files is None else files.jar.digest}


@functools.cache
def _normalizer(options: MeteorTokenizer, digest: str) -> _core.MeteorNormalizer:
    """Made once while the jar with the abbreviations has this digest."""
    files = find_meteor_files(options.files)
    prefixes = {} if files is None else files.prefixes(options.language)
    return _core.MeteorNormalizer(_CONTRACTIONS.get(options.language, "other"), prefixes, options.no_punct)
