"""What the scorers of Moses take for tokens of a text that has been tokenised before."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text import Tokenizer, tokenizer

__all__ = ["Space"]


@tokenizer("space")
@dataclass(frozen=True)
class Space(Tokenizer):
    """Cuts at the space character and nowhere else: a tab or a no-break space is part of a token."""

    core = "space"
    is_core = True

    def cut(self, line: str) -> str:
        return line
