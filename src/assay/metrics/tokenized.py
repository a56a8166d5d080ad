"""Base class of metrics with a `tok` option."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from assay.contracts import AUTO, Metric
from assay.registry import NestedSpec
from assay.text import Tokenizer, make_tokenizer, tokenizer_spec
from assay.types import Column, TestSet

__all__ = ["TokenizedMetric"]


class TokenizedMetric(Metric):
    """A metric that splits text into tokens. Its option `tok` is the spec of any tokeniser.

    Subclasses declare the field `tok` with a default, and call `__post_init__` from their own.
    """

    tok: NestedSpec

    def __post_init__(self) -> None:
        if self.tok != AUTO or self.default_tok(None) is None:
            object.__setattr__(self, "tok", tokenizer_spec(self.tok))

    def default_tok(self, language: str | None) -> str | None:
        """The spec of the tokeniser that `auto` stands for with a target language; None: `auto` is not allowed."""
        return None

    def tok_for(self, language: str | None) -> str:
        """The spec of the tokeniser to use with a target language."""
        return (self.default_tok(language) if self.tok == AUTO else None) or self.tok

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokeniser."""
        return make_tokenizer(self.tok_for(None))

    @property
    def resources(self) -> Mapping[str, str]:
        """The resources of the tokeniser."""
        return self.tokenizer.resources

    def texts(self, testset: TestSet, *, lowercase: bool) -> tuple[tuple[Column, ...], tuple[Column, ...], str]:
        """References and outputs for a kernel, and the core's tokeniser that the kernel applies to them."""
        tokenizer = self.tokenizer
        references, outputs = testset.texts(functools.partial(tokenizer.read_column, lowercase=lowercase))
        _, core = tokenizer.reader(lowercase=lowercase)
        return references, outputs, core
