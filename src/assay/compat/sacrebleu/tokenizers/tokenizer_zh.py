"""The tokeniser for Chinese."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerZh"]


class TokenizerZh(BaseTokenizer):
    """`zh`."""

    name = "zh"
