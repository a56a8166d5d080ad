"""Texts to tokens and their vectors: what eBLEU, YiSi and BERTScore compute with, wherever the vectors come from.

A `TokenVectors` splits texts into tokens and gives each a vector. With static vectors (`WordVectors`) these are the
words of a tokeniser, and a word has one vector wherever it occurs. With an encoder they are the pieces of its own
tokeniser, and the vector of each occurrence depends on its text (`encoder_vectors`). The metrics do not know which it
is: they get tokens as rows of a matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError, InputError
from assay.files.resources import Resource, existing_path, find_resource
from assay.metrics.tokenized_texts import TokenizedTexts, tokenize
from assay.types import Column, FloatArray, Note, NoteKind
from assay.types.column import BLOCK
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.vectors import Vectors, find_vectors, open_vectors

__all__ = [
    "ENCODER_OPTIONS",
    "MANY_UNKNOWN",
    "EmbeddedTexts",
    "TokenVectors",
    "Unit",
    "WordVectors",
    "find_token_vectors",
    "of_side",
    "open_token_vectors",
]

ENCODER_OPTIONS = ("layer", "unit", "precision")
"""What the spec of an encoder may set (`encoder_vectors`)."""

Unit = Literal["pieces", "words"]
"""What an encoder gives vectors to: pieces of words, or words."""

MANY_UNKNOWN = 0.1
"""The share of unknown tokens that makes a score doubtful."""

_EXAMPLES = 3  # of words without a vector


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedTexts:
    """Columns of texts as tokens with vectors. The vector of an unknown word is zero."""

    texts: TokenizedTexts
    vectors: npt.NDArray[np.float32] | FloatArray
    """(row, dimension)"""

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.texts.words):
            raise ConfigError(f"{len(self.texts.words)} words have vectors of shape {self.vectors.shape}")

    def table(self, forms: Iterable[str] | None = None) -> _core.VectorTable:
        """The vectors for a kernel. Tokens with the same form count as equal; by default, those of one row."""
        if forms is None:
            numbers = np.arange(len(self.texts.words), dtype=np.int32)
        else:
            known: dict[str, int] = {}
            numbers = np.fromiter((known.setdefault(form, len(known)) for form in forms), dtype=np.int32)
        return _core.VectorTable(np.ascontiguousarray(self.vectors), numbers)

    def joined(self, other: EmbeddedTexts) -> EmbeddedTexts:
        """The columns of both, with the rows of `other` after those of this one."""
        if self.vectors.shape[1] != other.vectors.shape[1]:
            raise InputError(
                f"vectors of {self.vectors.shape[1]} and of {other.vectors.shape[1]} dimensions cannot be compared",
                hint="vectors and source_vectors of a metric must be of one space",
            )
        shift = np.int32(len(self.texts.words))
        texts = TokenizedTexts(
            [*self.texts.words, *other.texts.words],
            (*self.texts.rows, *(rows + shift for rows in other.texts.rows)),
            (*self.texts.starts, *other.texts.starts),
            (*self.texts.present, *other.texts.present),
        )
        return EmbeddedTexts(texts, np.concatenate([self.vectors, other.vectors]))


class TokenVectors(Protocol):
    """Splits texts into tokens and gives them vectors."""

    @property
    def name(self) -> str:
        """For messages."""

    @property
    def spec(self) -> str:
        """The name or path that it was opened by, with all options."""

    @property
    def tolerance(self) -> float:
        """How much a score may differ between two runs."""

    @property
    def is_contextual(self) -> bool:
        """Whether the vector of a token depends on its text."""

    @property
    def layer(self) -> int | None:
        """The layer of the encoder; None for static vectors."""

    @property
    def special_tokens(self) -> frozenset[str]:
        """Tokens that are not in the text: those of its start and end."""

    def tokenize(self, columns: Sequence[Column]) -> TokenizedTexts:
        """The tokens alone."""

    def embed(self, columns: Sequence[Column], runtime: Runtime) -> EmbeddedTexts:
        """The tokens and their vectors."""

    def notes(self, columns: Mapping[str, Column], where: str, side: str = "") -> Iterator[Note]:
        """What is unusual in the vectors, and in these named columns: how many tokens have no vector of their own.

        `side` is what the columns are called together, if there are others.
        """


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Static vectors of the words of a tokeniser. Every distinct word is looked up once for all columns."""

    source: str
    digest: str
    tok: str
    lowercase: bool

    is_contextual: ClassVar[bool] = False
    tolerance: ClassVar[float] = 0.0
    layer: ClassVar[int | None] = None
    special_tokens: ClassVar[frozenset[str]] = frozenset()

    @property
    def name(self) -> str:
        """The name of the file."""
        return find_vectors(self.source).name

    @property
    def spec(self) -> str:
        """The name or path."""
        return self.source

    def tokenize(self, columns: Sequence[Column]) -> TokenizedTexts:
        """The words of the tokeniser."""
        return tokenize(columns, self.tok, lowercase=self.lowercase)

    def embed(self, columns: Sequence[Column], runtime: Runtime) -> EmbeddedTexts:
        """The words and their vectors."""
        texts = self.tokenize(columns)
        vectors, _ = self.open(runtime).lookup(texts.words)
        return EmbeddedTexts(texts, vectors)

    def notes(self, columns: Mapping[str, Column], where: str, side: str = "") -> Iterator[Note]:
        """What is unusual in the file, and how many words of these texts have no vector."""
        yield from self.open().notes
        total, unknown = 0, 0
        examples: dict[str, int] = {}
        for part in _parts(tuple(columns.values())):
            texts = self.tokenize(part)
            _, is_known = self.open().lookup(texts.words)
            rows = np.concatenate(texts.rows)
            total += len(rows)
            counts = np.bincount(rows[~is_known[rows]], minlength=len(texts.words))
            unknown += int(counts.sum())
            for row in np.argsort(-counts, kind="stable")[:_EXAMPLES].tolist():
                if counts[row]:
                    word = texts.words[row]
                    examples[word] = examples.get(word, 0) + int(counts[row])
        if unknown:
            shown = ", ".join(f"'{word}'" for word in sorted(examples, key=lambda word: -examples[word])[:_EXAMPLES])
            share = f"{unknown:,} of {plural(total, 'word')}{of_side(side)} ({100 * unknown / total:.1f} %)"
            text = f"{share} have no vector in {self.name}, most often {shown}"
            severity = "warning" if unknown > MANY_UNKNOWN * total else "note"
            yield Note(NoteKind.MISSING, text, where=where, count=unknown, severity=severity)

    def open(self, runtime: Runtime | None = None) -> Vectors:
        """The vectors, opened once while their file does not change."""
        key = (self.source, self.digest)
        if key not in _opened:
            _opened[key] = open_vectors(self.source, runtime=runtime)
        return _opened[key]


def _parts(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """Some segments at a time, so that the tokens of a large test set are never in memory at once."""
    for first in range(0, len(columns[0]), BLOCK):
        yield tuple(column[first : first + BLOCK] for column in columns)


def of_side(side: str) -> str:
    """Words for a note about one side of several."""
    return f" of {side}" if side else ""


_opened: dict[tuple[str, str], Vectors] = {}  # by name or path, and digest


def open_token_vectors(
    spec: str, *, tok: str, lowercase: bool, unit: Unit = "pieces", keeps_special_tokens: bool = False
) -> TokenVectors:
    """The vectors of a name in the resource folder or of a path: a file of word vectors, or the folder of an encoder.

    An encoder may have options: `minilm-en:layer=5`. `tok` finds the words that have vectors; `unit` is what an encoder
    gives vectors to if its options do not say, and `keeps_special_tokens` whether those of start and end stay.
    """
    source, options = _split(spec)
    if find_token_vectors(spec).path.is_dir():
        from assay.metrics.encoder_vectors import EncoderVectors  # which needs this module, and much else

        return EncoderVectors.of(
            source, options, unit=unit, lowercase=lowercase, keeps_special_tokens=keeps_special_tokens
        )
    if options:
        raise ConfigError(f"word vectors have no options: '{spec}'", hint="options are for encoders, which are folders")
    return WordVectors(source, find_vectors(source).digest, tok, lowercase)


def find_token_vectors(spec: str) -> Resource:
    """The file or folder, without opening it."""
    return find_resource(_split(spec)[0], "word vectors or encoder")


def _split(spec: str) -> tuple[str, str]:
    """The name or path, and the options."""
    if existing_path(spec) is not None:  # a path may have a colon
        return spec, ""
    source, _, options = spec.partition(":")
    return source, options
