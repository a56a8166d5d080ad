"""Tokenisers by name. Those of the core run inside the kernels; the others hand over text cut at white space."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.registry import Registry
from assay.types import TestSet

__all__ = [
    "CORE_TOKENIZERS",
    "CoreTokenizer",
    "Tokenizer",
    "default_tokenizer",
    "is_unspaced",
    "make_tokenizer",
    "script_tokenizers",
    "space_advice",
    "tokenizer",
]

_AT_SPACES = ("none", "space", "13a", "intl", "mteval", "mteval-intl", "mteval-intl-split")

CORE_TOKENIZERS = ("13a", "intl", "zh", "char", "none")

_DEFAULT_BY_LANGUAGE = {
    **dict.fromkeys(("zh", "zho", "chi", "cmn", "yue"), "zh"),
    **dict.fromkeys(("ja", "jpn"), "ja-mecab"),
    **dict.fromkeys(("ko", "kor"), "ko-mecab"),
}


def default_tokenizer(language: str | None) -> str:
    """The tokeniser `auto` means for a target language: sacreBLEU's choice."""
    return _DEFAULT_BY_LANGUAGE.get(language or "", "13a")


def is_unspaced(testset: TestSet) -> bool:
    """Whether the references begin mostly in Han or kana, which are written without spaces."""
    letters = _letters(testset)
    return sum("\u3040" <= c <= "\u9fff" for c in letters) > len(letters) / 2


def space_advice(testset: TestSet, name: str, tok: str, instead: str, *, is_by_language: bool = False) -> Iterator[str]:
    """Whether words are sought where there are no spaces; `is_by_language`: not so if the language pair were known."""
    if tok in _AT_SPACES and is_unspaced(testset):
        also = " or give the language pair (--lp en-zh)" if is_by_language and not testset.lp else ""
        yield f"the references are written without spaces, and {name} counts words between spaces: use {instead}{also}"


def script_tokenizers(testset: TestSet) -> list[str]:
    """Tokenisers made for the scripts that occur in the references."""
    letters = _letters(testset)
    found = {"ja-mecab": ("\u3040", "\u30ff"), "ko-mecab": ("\uac00", "\ud7a3")}
    return [name for name, (low, high) in found.items() if sum(low <= c <= high for c in letters) > len(letters) / 10]


def _letters(testset: TestSet) -> list[str]:
    """Of the first references; none where all come before kana and Han, which is quickly seen."""
    sample = "".join(text[:50] for column in testset.references.values() for text in column[:10] if text)
    return [] if max(sample, default="") < "\u3040" else [c for c in sample if c.isalpha()]


class Tokenizer(ABC):
    """Cuts a line into tokens."""

    name: ClassVar[str]
    core: ClassVar[str] = "none"
    """The core's tokeniser that reads what `cut` returns."""
    is_core: ClassVar[bool] = False
    """Whether the core does it all, so that `cut` need not be called."""

    @abstractmethod
    def cut(self, line: str) -> str:
        """The line with its tokens separated by white space, as far as the core does not do it."""

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        """What to do to each text first (None: nothing), and the core's tokeniser for what that returns."""
        if self.is_core:
            return (str.lower if lowercase else None), self.core
        return (lambda text: self.cut((text.lower() if lowercase else text).rstrip())), self.core

    @property
    def signature(self) -> str:
        """The name with the version of whatever does the work."""
        return self.name

    @property
    def resources(self) -> Mapping[str, str]:
        """Digests of the files it depends on."""
        return {}


tokenizer: Registry[Tokenizer] = Registry("tokeniser", __name__, entry_point_group="assay.tokenizers")


@functools.cache
def make_tokenizer(name: str, model: str = "") -> Tokenizer:
    """The tokeniser of a name; `model` is the file of spm."""
    cls, preset = tokenizer.type_of(name)
    return cls(**preset, **({"model": model} if name == "spm" else {}))


class CoreTokenizer(Tokenizer):
    """Leaves the line as it is: the kernel tokenises (cpp/include/assay/tokenize.hpp)."""

    is_core = True

    def cut(self, line: str) -> str:
        return line


for _name in CORE_TOKENIZERS:
    tokenizer(_name)(dataclass(frozen=True)(type(f"Core_{_name}", (CoreTokenizer,), {"core": _name})))
