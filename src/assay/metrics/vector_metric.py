"""Base class of metrics with a `vectors` option."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from assay.errors import ConfigError
from assay.metrics.token_vectors import EmbeddedTexts, TokenVectors, WordVectors, check_lengths, open_token_vectors
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec
from assay.runtime import Runtime
from assay.text import default_tokenizer, space_advice
from assay.types import Column, Note, NoteKind, TestSet
from assay.types.column import BLOCK
from assay.vectors import find_vectors

__all__ = ["VectorMetric"]

_MANY = 0.1  # share of words without a vector that makes a score doubtful
_EXAMPLES = 3

Self = TypeVar("Self", bound="VectorMetric")


class VectorMetric(TokenizedMetric):
    """A metric that compares the vectors of tokens. Its option `vectors` is a name in the resource folder, or a path.

    Subclasses declare the fields `vectors`, `tok` and `lowercase` with defaults.
    """

    vectors: NestedSpec
    lowercase: bool

    def default_tok(self, language: str | None) -> str:
        return default_tokenizer(language)

    def prepare(self: Self, testset: TestSet) -> Self:
        self.token_vectors()  # raises at once if there are none
        return dataclasses.replace(self, tok=self.tok_for(testset.target))  # type: ignore[type-var]

    @property
    def resources(self) -> Mapping[str, str]:
        """The resources of the tokeniser, and the file of vectors."""
        return {**super().resources, "vectors": find_vectors(self._checked(self.vectors)).digest}

    def token_vectors(self) -> TokenVectors:
        """What turns the texts of the target language into tokens and vectors."""
        return open_token_vectors(self._checked(self.vectors), tok=self.tok_for(None), lowercase=self.lowercase)

    def _checked(self, vectors: str) -> str:
        if not vectors:
            hint = f"e.g. {self.name}:vectors=wink-en, or vectors=PATH; docs/methods/vectors.md says where to get some"
            raise ConfigError(f"the metric {self.name} needs word vectors", hint=hint)
        return vectors

    def embed(self, columns: Mapping[str, Column], runtime: Runtime, first: int = 0) -> EmbeddedTexts:
        """The tokens and vectors of named columns, whose first segment is the one with this index."""
        embedded = self.token_vectors().embed(tuple(columns.values()), runtime)
        check_lengths(embedded.texts, self.name, tuple(columns), first)
        return embedded

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """What is unusual in the vectors, and how many words have none."""
        better = f"{self.name}:tok={{tok}}"
        yield from space_advice(testset, self.name, self.tok_for(testset.target), better, depends_on_language=True)
        for source, columns in self.sides(testset):
            if isinstance(source, WordVectors):
                yield from source.open().notes
                yield from self.unknown_words(source, columns)

    def sides(self, testset: TestSet) -> Iterator[tuple[TokenVectors, list[Column]]]:
        """The texts that are compared, with the vectors of their tokens."""
        yield self.token_vectors(), [*testset.references.values(), *testset.outputs.values()]

    def unknown_words(self, source: WordVectors, columns: list[Column]) -> Iterator[Note]:
        """A note on the words of these columns that have no vector."""
        total, unknown = 0, 0
        examples: dict[str, int] = {}
        for part in _parts(columns):
            embedded = source.embed(part, Runtime(threads=1))
            rows = np.concatenate(embedded.texts.rows)
            total += len(rows)
            counts = np.bincount(rows[~embedded.is_known[rows]], minlength=len(embedded.texts.words))
            unknown += int(counts.sum())
            for row in np.argsort(-counts, kind="stable")[:_EXAMPLES].tolist():
                if counts[row]:
                    word = embedded.texts.words[row]
                    examples[word] = examples.get(word, 0) + int(counts[row])
        if unknown:
            shown = ", ".join(f"'{word}'" for word in sorted(examples, key=lambda word: -examples[word])[:_EXAMPLES])
            text = (
                f"{unknown:,} of {total:,} words ({unknown / total:.1%}) have no vector in {source.name}, most often "
                f"{shown}"
            )
            severity = "warning" if unknown > _MANY * total else "note"
            yield Note(NoteKind.MISSING, text, where=self.name, count=unknown, severity=severity)


def _parts(columns: list[Column]) -> Iterator[tuple[Column, ...]]:
    """Some segments at a time, so that the tokens of a large test set are never in memory at once."""
    for first in range(0, len(columns[0]), BLOCK):
        yield tuple(column[first : first + BLOCK] for column in columns)
