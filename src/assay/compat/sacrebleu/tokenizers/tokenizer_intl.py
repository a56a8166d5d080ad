"""The international tokeniser of mteval-v14."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerV14International"]


class TokenizerV14International(BaseTokenizer):
    """`intl`."""

    name = "intl"
