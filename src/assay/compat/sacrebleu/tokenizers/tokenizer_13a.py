"""The tokeniser of mteval-v13a, the default."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["Tokenizer13a"]


class Tokenizer13a(BaseTokenizer):
    """`13a`."""

    name = "13a"

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        end = len(line.rstrip())  # the core expects stripped lines, in which no hyphen is the last character of a line
        return super().__call__(line[: end - 1] if line.startswith("-\n", end - 1) else line)
