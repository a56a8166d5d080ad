"""Base class of metrics with a `vectors` option."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Literal, TypeVar

from assay.errors import ConfigError
from assay.metrics.token_vectors import (
    ENCODER_OPTIONS,
    EmbeddedTexts,
    TokenVectors,
    WordVectors,
    check_lengths,
    find_token_vectors,
    open_token_vectors,
)
from assay.metrics.tokenized import AUTO, TokenizedMetric
from assay.registry import NestedSpec
from assay.runtime import Runtime
from assay.text import default_tokenizer, make_tokenizer, word_segmenter
from assay.types import Column, Note, NoteKind, TestSet

__all__ = ["VectorMetric"]

_BLOCK_TEXTS = 4096  # about 500 MB for 30 tokens of 1,024 dimensions

Self = TypeVar("Self", bound="VectorMetric")


class VectorMetric(TokenizedMetric):
    """A metric that compares the vectors of tokens. Its option `vectors` is a name in the resource folder, or a path.

    Subclasses declare the fields `vectors`, `tok` and `lowercase` with defaults.
    """

    vectors: NestedSpec
    lowercase: bool

    unit: ClassVar[Literal["pieces", "words"]] = "pieces"
    """What an encoder gives vectors to, if the option `vectors` does not say: pieces of words, or words."""
    nested_options: ClassVar[Mapping[str, Collection[str]]] = {"vectors": ENCODER_OPTIONS}
    keeps_marks: ClassVar[bool] = False
    """Whether the marks of start and end that an encoder adds are compared, too."""

    @property
    def tolerance(self) -> float:  # type: ignore[override]  # it depends on an option
        return self.token_vectors().tolerance

    def default_tok(self, language: str | None) -> str:
        return default_tokenizer(language)

    def prepare(self: Self, testset: TestSet) -> Self:
        return dataclasses.replace(self, **self.chosen(testset))  # type: ignore[type-var]

    def chosen(self, testset: TestSet) -> dict[str, Any]:
        """The vectors with all their options, and the tokeniser. Raises at once if there are no such vectors."""
        source = self.token_vectors()
        if not source.is_contextual:
            return {"tok": self.tok_for(testset.target)}
        if self.tok != AUTO:
            raise ConfigError(
                f"tok={self.tok} has no effect: the encoder {source.name} has its own tokeniser", hint="leave out tok"
            )
        return {"vectors": source.spec}

    @property
    def resources(self) -> Mapping[str, str]:
        """The resources of the tokeniser, and the file of vectors."""
        return {**super().resources, "vectors": find_token_vectors(self._checked(self.vectors)).digest}

    def token_vectors(self) -> TokenVectors:
        """What turns the texts of the target language into tokens and vectors."""
        return self.opened(self._checked(self.vectors), self.tok_for(None))

    def opened(self, vectors: str, tok: str) -> TokenVectors:
        """The vectors of a name or path, for the words of a tokeniser."""
        return open_token_vectors(vectors, tok=tok, lowercase=self.lowercase, unit=self.unit, marks=self.keeps_marks)

    def _checked(self, vectors: str) -> str:
        if not vectors:
            hint = f"e.g. {self.name}:vectors=wink-en, or vectors=PATH; docs/methods/vectors.md says where to get some"
            raise ConfigError(f"the metric {self.name} needs word vectors or an encoder", hint=hint)
        return vectors

    def embed(self, columns: Mapping[str, Column], runtime: Runtime, first: int = 0) -> EmbeddedTexts:
        """The tokens and vectors of named columns, whose first segment is the one with this index."""
        embedded = self.token_vectors().embed(tuple(columns.values()), runtime)
        check_lengths(embedded.texts, self.name, tuple(columns), first)
        return embedded

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """What is unusual in the vectors, how many words have none, and whether the tokeniser finds words at all."""
        for option, source, columns in self.sides(testset):
            yield from source.notes(columns, self.name)
            if isinstance(source, WordVectors):
                yield from self._segmenter_advice(option, source, columns)

    def _segmenter_advice(self, option: str, source: WordVectors, columns: list[Column]) -> Iterator[Note]:
        """Advice to find words in texts that are written without spaces: word vectors are those of words."""
        tokenizer, segmenter = make_tokenizer(source.tok), word_segmenter(columns)
        if segmenter is None or not (tokenizer.needs_spaces or tokenizer.splits_characters):
            return
        tokens = "characters" if tokenizer.splits_characters else "whole phrases"
        text = (
            f"texts are written without spaces, and {option}={source.tok} splits them into {tokens}, most of "
            f"which have no vector in {source.name}: use {self.name}:{option}={segmenter}"
        )
        yield Note(NoteKind.ADVICE, text, where=self.name)

    def block_size(self, columns: int) -> int | None:
        """How many segments of this many columns to compute at once: a text of an encoder needs much memory."""
        return max(1, _BLOCK_TEXTS // columns) if self.token_vectors().is_contextual else None

    def sides(self, testset: TestSet) -> Iterator[tuple[str, TokenVectors, list[Column]]]:
        """The texts that are compared, with the option of their tokeniser and the vectors of their tokens."""
        yield "tok", self.token_vectors(), [*testset.references.values(), *testset.outputs.values()]
