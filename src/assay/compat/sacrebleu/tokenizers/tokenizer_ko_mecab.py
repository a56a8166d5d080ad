"""MeCab for Korean."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerKoMecab"]


class TokenizerKoMecab(BaseTokenizer):
    """`ko-mecab`."""

    name = "ko-mecab"
