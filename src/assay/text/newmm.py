"""newmm of PyThaiNLP, a segmenter of Thai words: the fewest words of a dictionary, cut between character clusters."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from assay.errors import MissingExtraError, installing
from assay.text import Tokenizer, tokenizer

__all__ = ["Newmm"]

_READ_ONLY = "PYTHAINLP_READ_ONLY"


@tokenizer("newmm")
@dataclass(frozen=True)
class Newmm(Tokenizer):
    """Thai words."""

    max_characters = 100_000  # the time grows with the square of the length

    def cut(self, line: str) -> str:
        segment, _ = _newmm()
        return " ".join(segment(line))

    @property
    def sacrebleu_name(self) -> None:
        """None: sacreBLEU does not have it."""

    @property
    def resources(self) -> Mapping[str, str]:
        _, digest = _newmm()
        return {"newmm": digest}


@functools.cache
def _newmm() -> tuple[Callable[[str], list[str]], str]:
    """The segmenter, and a digest of its version and its dictionary."""
    import hashlib

    try:
        with _read_only():
            import pythainlp
            from pythainlp.corpus import thai_words
            from pythainlp.tokenize import newmm
            from pythainlp.util import dict_trie

            words = sorted(thai_words())
            trie = dict_trie(words)
    except ImportError as error:
        raise MissingExtraError("the tokeniser newmm needs pythainlp", hint=installing("th")) from error
    rules = "\n".join((f"pythainlp {pythainlp.__version__}", *words)).encode()
    return functools.partial(newmm.segment, custom_dict=trie), "sha256-" + hashlib.sha256(rules).hexdigest()[:16]


@contextmanager
def _read_only() -> Iterator[None]:
    """Import PyThaiNLP without the folder that it makes in the user's home for downloads."""
    if _READ_ONLY in os.environ:
        yield
        return
    os.environ[_READ_ONLY] = "1"
    try:
        yield
    finally:
        del os.environ[_READ_ONLY]
