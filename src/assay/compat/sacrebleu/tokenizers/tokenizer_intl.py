"""The international tokeniser of mteval-v14."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerV14International"]


class TokenizerV14International(BaseTokenizer):
    """`intl`."""

    name = "intl"

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        if not line[-1:].isspace():
            return super().__call__(line)
        # The core strips the end of a line. Here its white space counts: punctuation before it does not end the line.
        return super().__call__(f"{line} a").rpartition(" ")[0]
