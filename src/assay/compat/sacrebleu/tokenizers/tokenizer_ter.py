"""The tokeniser of tercom, for TER."""

from __future__ import annotations

from assay import _core
from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TercomTokenizer"]


class TercomTokenizer(BaseTokenizer):
    """Lower-cases, and splits off or removes punctuation if asked to."""

    name = "tercom"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        chosen = {"normalized": normalized, "asian": asian_support, "no_punct": no_punct}
        self._core = "+".join([self.name, *(name for name, is_chosen in chosen.items() if is_chosen)])
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """The name in signatures."""
        return self.name

    def __call__(self, sent: str) -> str:
        """The line with spaces between its tokens."""
        return " ".join(_core.tokenize(sent if self._case_sensitive else sent.lower(), self._core))
