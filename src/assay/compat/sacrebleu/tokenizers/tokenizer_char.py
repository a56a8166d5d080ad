"""Characters as tokens."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerChar"]


class TokenizerChar(BaseTokenizer):
    """`char`: spaces between all characters."""

    name = "char"

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        return " ".join(line)
