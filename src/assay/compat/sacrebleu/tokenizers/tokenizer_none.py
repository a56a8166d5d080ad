"""No tokeniser: text that is tokenised already."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["NoneTokenizer"]


class NoneTokenizer(BaseTokenizer):
    """`none`: the line as it is."""

    name = "none"

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        return line
