"""The tokens of sacreBLEU."""

from __future__ import annotations

from tests.compat.sacrebleu.oracle import same_tokenizer


def test_the_same_tokens():
    same_tokenizer("tokenizer_ja_mecab", "TokenizerJaMecab")
