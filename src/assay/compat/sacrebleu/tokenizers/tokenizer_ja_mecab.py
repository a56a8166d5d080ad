"""MeCab for Japanese."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerJaMecab"]


class TokenizerJaMecab(BaseTokenizer):
    """`ja-mecab`."""

    name = "ja-mecab"
