"""Base class of sacreBLEU's tokenisers."""

from __future__ import annotations

from typing import ClassVar

from assay import _core
from assay.text import make_tokenizer

__all__ = ["BaseTokenizer"]


class BaseTokenizer:
    """Returns a line with spaces between its tokens, as a tokeniser of Assay splits it."""

    name: ClassVar[str] = ""

    @property
    def spec(self) -> str:
        """The spec of the tokeniser of Assay."""
        return self.name

    def signature(self) -> str:
        """The name in signatures."""
        if not self.name:
            raise NotImplementedError
        return make_tokenizer(self.spec).sacrebleu_name or self.name

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        if not self.name:
            raise NotImplementedError
        tokenizer = make_tokenizer(self.spec)
        return " ".join(_core.tokenize(line, tokenizer.core)) if tokenizer.is_core else tokenizer.cut(line)
