"""The tokeniser of Moses, and the split at spaces that its scorers apply to tokenised text."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import MissingExtraError, installing
from assay.text import CoreTokenizer, Tokenizer, tokenizer

__all__ = ["Moses", "Space"]

_LANGUAGES = "as bn ca cs de el es et fi fr ga gu hi hu is it kn lt lv ml mni mr nl or pa pl pt ro ru sk sl sv ta te"


@tokenizer("space")
@dataclass(frozen=True)
class Space(CoreTokenizer):
    """Splits at the space character only: a tab or a no-break space is part of a token."""

    core = "space"
    needs_spaces = True


def _aliases() -> dict[str, dict[str, Any]]:
    plain = {f"moses-{language}": {"language": language} for language in _LANGUAGES.split()}
    every_language = {"moses-en": {}, **plain}
    return plain | {f"{name}-aggressive": {**preset, "aggressive": True} for name, preset in every_language.items()}


@tokenizer("moses-en", aliases=_aliases())
@dataclass(frozen=True)
class Moses(Tokenizer):
    """sacremoses' version of tokenizer.perl -no-escape, with the abbreviations of a language; `aggressive` is -a."""

    language: str = "en"
    aggressive: bool = False

    core = "space"

    def cut(self, line: str) -> str:
        tokens = _moses(self.language).tokenize(line, aggressive_dash_splits=self.aggressive, escape=False)
        return " ".join(tokens)

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        """Lower-cases last: the rules use case to distinguish abbreviations from ends of sentences."""
        return (lambda text: self.cut(text).lower() if lowercase else self.cut(text)), self.core

    @property
    def resources(self) -> Mapping[str, str]:
        return {"moses": _digest(self.language)}


@functools.cache
def _moses(language: str) -> Any:
    try:
        import sacremoses
    except ImportError as error:
        raise MissingExtraError("the tokeniser of Moses needs sacremoses", hint=installing("moses")) from error
    return sacremoses.MosesTokenizer(lang=language)


@functools.cache
def _digest(language: str) -> str:
    import hashlib
    from importlib.metadata import version

    prefixes = "\n".join(sorted(_moses(language).NONBREAKING_PREFIXES))
    rules = f"sacremoses {version('sacremoses')}\n{prefixes}".encode()
    return "sha256-" + hashlib.sha256(rules).hexdigest()[:16]
