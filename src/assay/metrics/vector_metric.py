"""Base class of metrics with a `vectors` option."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from assay.contracts import AUTO, VECTORS
from assay.errors import ConfigError, installing
from assay.metrics import metric as metric_registry
from assay.metrics.token_vectors import (
    ENCODER_OPTIONS,
    EmbeddedTexts,
    TokenVectors,
    Unit,
    WordVectors,
    find_token_vectors,
    open_token_vectors,
)
from assay.metrics.tokenized import TokenizedMetric
from assay.metrics.tokenized_texts import check_lengths
from assay.registry import NestedSpec
from assay.text import WORD_SEGMENTERS, default_tokenizer, make_tokenizer, word_segmenter
from assay.types import Column, Note, NoteKind, TestSet
from assay.types.runtime import Runtime

__all__ = ["Side", "VectorMetric"]

_BLOCK_TEXTS = 4096  # about 500 MB for 30 tokens of 1,024 dimensions

Self = TypeVar("Self", bound="VectorMetric")


@dataclass(frozen=True, slots=True)
class Side:
    """Texts that have their vectors from one source."""

    label: str
    """What they are called together; empty if these are all texts."""
    tok_option: str
    """The option that sets their tokeniser."""
    vectors: TokenVectors
    columns: Mapping[str, Column]


class VectorMetric(TokenizedMetric):
    """A metric that compares the vectors of tokens. Its option `vectors` is a name in the resource folder, or a path.

    Subclasses declare the fields `vectors`, `tok` and `lowercase` with defaults.
    """

    family = VECTORS

    vectors: NestedSpec
    lowercase: bool

    unit: ClassVar[Unit] = "pieces"
    """What an encoder gives vectors to, if the option `vectors` does not say: pieces of words, or words."""
    nested_options: ClassVar[Mapping[str, Collection[str]]] = {"vectors": ENCODER_OPTIONS}
    keeps_special_tokens: ClassVar[bool] = False
    """Whether the special tokens of start and end that an encoder adds are compared, too."""

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
        return open_token_vectors(
            vectors, tok=tok, lowercase=self.lowercase, unit=self.unit, keeps_special_tokens=self.keeps_special_tokens
        )

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
        for side in self.sides(testset):
            yield from side.vectors.notes(side.columns, self.name, side.label)
            if isinstance(side.vectors, WordVectors):
                yield from self._segmenter_advice(side.tok_option, side.vectors, side.columns.values())

    def _segmenter_advice(self, option: str, source: WordVectors, columns: Iterable[Column]) -> Iterator[Note]:
        """Advice to find words in texts that are written without spaces: word vectors are those of words."""
        tokenizer, segmenter = make_tokenizer(source.tok), word_segmenter(columns)
        if segmenter is None or not (tokenizer.needs_spaces or tokenizer.splits_characters):
            return
        better = self.spec_with(**{option: segmenter})
        tokens = "characters" if tokenizer.splits_characters else "whole phrases"
        text = (
            f"texts are written without spaces, and {option}={source.tok} splits them into {tokens}, most of "
            f"which have no vector in {source.name}: use {better}, which needs "
            f"{installing(WORD_SEGMENTERS[segmenter])}"
        )
        yield Note(NoteKind.ADVICE, text, where=self.name)

    def spec_with(self, **options: str) -> str:
        """The spec of this metric with other options, for advice."""
        return metric_registry.spec(dataclasses.replace(self, **options))  # type: ignore[type-var]

    def block_size(self, columns: int) -> int | None:
        """How many segments of this many columns to compute at once: a text of an encoder needs much memory."""
        return max(1, _BLOCK_TEXTS // columns) if self.token_vectors().is_contextual else None

    def sides(self, testset: TestSet) -> Iterator[Side]:
        """The texts that are compared."""
        columns = {f"reference '{name}'": column for name, column in testset.references.items()}
        yield Side("", "tok", self.token_vectors(), columns | self.output_columns(testset))

    @staticmethod
    def output_columns(testset: TestSet) -> dict[str, Column]:
        """The outputs, by the names they have in notes and errors."""
        return {f"'{name}'": column for name, column in testset.outputs.items()}
