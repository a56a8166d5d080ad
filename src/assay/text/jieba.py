"""jieba, a segmenter of Chinese words by dictionary, and by a hidden Markov model for words that are not in it."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import MissingExtraError, installing
from assay.text import Tokenizer, tokenizer

__all__ = ["Jieba"]


@tokenizer("jieba")
@dataclass(frozen=True)
class Jieba(Tokenizer):
    """Chinese words, in jieba's default mode. `zh` splits into characters instead."""

    max_characters = 1_000_000  # takes up to 20 s and half a gigabyte

    def cut(self, line: str) -> str:
        return " ".join(_segmenter().cut(line))

    @property
    def sacrebleu_name(self) -> None:
        """None: sacreBLEU does not have it."""

    @property
    def resources(self) -> Mapping[str, str]:
        return {"jieba": _digest()}


@functools.cache
def _segmenter() -> Any:
    """A segmenter that no other code changes, e.g. with words of a user.

    jieba would keep its dictionary in the folder for temporary files and read it back from there, where another user
    can put one. Here it is read from the package, which takes a second.
    """
    segmenter = _jieba().Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


@functools.cache
def _digest() -> str:
    import hashlib

    jieba = _jieba()
    with jieba.Tokenizer().get_dict_file() as dictionary:
        rules = f"jieba {jieba.__version__}\n".encode() + dictionary.read()
    return "sha256-" + hashlib.sha256(rules).hexdigest()[:16]


@functools.cache
def _jieba() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it uses pkg_resources and invalid escapes
            import jieba
    except ImportError as error:
        raise MissingExtraError("the tokeniser jieba needs jieba", hint=installing("zh")) from error
    return jieba
