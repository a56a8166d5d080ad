"""Tokens of two outputs and the references as numbers, and how often each occurs in each text.

Texts without a counterpart do not count: a segment is compared if it has both outputs and at least one reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay import _core
from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.text import is_unspaced, make_tokenizer, script_tokenizers, tokenizer_spec
from assay.types import Column, IntArray, Note, NoteKind, TestSet, present
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["AUTO", "Counts", "Ngrams", "TokenizedPair", "matches", "sums", "tokenize_pair"]

AUTO = "auto"


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often tokens or n-grams occur in the segments of a column."""

    segments: IntArray
    """The segment (from 0) of each entry."""
    ids: IntArray
    """The token or n-gram of each entry; an entry for each one that the segment has, ordered by segment and id."""
    counts: IntArray
    keys: IntArray
    """Equal for the same token or n-gram in the same segment of another column; in ascending order."""


@dataclass(frozen=True, slots=True, eq=False)
class Ngrams:
    """The n-grams of one order in all columns. They are numbered from 0."""

    order: int
    tokens: IntArray
    """(n-gram, position): the tokens of each n-gram."""
    outputs: tuple[Counts, Counts]
    references: tuple[Counts, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedPair:
    """The outputs of two systems and the references as tokens, in the segments that are compared."""

    systems: tuple[str, str]
    tok: str
    vocabulary: tuple[str, ...]
    """The text of each token."""
    token: IntArray
    """All tokens of all columns in order: the two outputs, then the references."""
    text: IntArray
    """The text that each token belongs to: the number of its column times the number of segments, plus its segment."""
    columns: int
    compared: npt.NDArray[np.bool_]
    """By segment."""
    has_reference: npt.NDArray[np.bool_]
    """(reference, segment)"""

    @property
    def column(self) -> IntArray:
        """The column of each token."""
        return self.text // len(self.compared)

    @property
    def n(self) -> int:
        """Number of segments that are compared."""
        return int(np.count_nonzero(self.compared))

    @property
    def notes(self) -> tuple[Note, ...]:
        """How many segments are left out."""
        excluded = len(self.compared) - self.n
        if not excluded:
            return ()
        text = f"excluded {excluded:,} of {plural(len(self.compared), 'segment')}, which lack an output or a reference"
        return (Note(NoteKind.EXCLUDED, text, " and ".join(self.systems), excluded),)

    def ngrams(self, max_order: int) -> Iterator[Ngrams]:
        """The n-grams of each order, from 1 to `max_order`."""
        starts = np.arange(len(self.token))
        ids = np.zeros_like(starts)
        for order in range(1, max_order + 1):
            last = order - 1
            fits = starts + last < len(self.token)
            fits[fits] = self.text[starts[fits] + last] == self.text[starts[fits]]
            starts = starts[fits]
            codes = ids[fits] * len(self.vocabulary) + self.token[starts + last]
            _, found, ids = np.unique(codes, return_index=True, return_inverse=True)
            examples = starts[found]
            tokens = self.token[examples[:, np.newaxis] + np.arange(order)]
            columns = list(self._counts(self.text[starts], ids, len(examples)))
            yield Ngrams(order, tokens, (columns[0], columns[1]), tuple(columns[2:]))

    def _counts(self, text: IntArray, ids: IntArray, size: int) -> Iterator[Counts]:
        """Of each column. There are `size` different n-grams."""
        keys, counts = np.unique(text * size + ids, return_counts=True)
        width = len(self.compared) * size
        borders = np.searchsorted(keys, np.arange(self.columns + 1) * width)
        for column in range(self.columns):
            part = slice(borders[column], borders[column + 1])
            own = keys[part] - column * width
            yield Counts(own // max(size, 1), own % max(size, 1), counts[part], own)


def matches(output: Counts, reference: Counts) -> IntArray:
    """How often each entry of an output occurs in the reference, too: the smaller of both counts."""
    if not len(reference.keys):
        return np.zeros(len(output.keys), dtype=np.int64)
    places = np.minimum(np.searchsorted(reference.keys, output.keys), len(reference.keys) - 1)
    found = reference.keys[places] == output.keys
    return np.where(found, np.minimum(output.counts, reference.counts[places]), 0)


def sums(places: IntArray, values: IntArray, size: int) -> IntArray:
    """The sum of the values of each place, from 0."""
    return np.bincount(places, weights=values, minlength=size).astype(np.int64)


def tokenize_pair(
    testset: TestSet, first: str, second: str, *, tok: str = AUTO, lowercase: bool = False
) -> TokenizedPair:
    """Tokenise the outputs of two systems and the references.

    `tok` is the spec of a tokeniser. `auto` is intl, which splits the punctuation of all languages from words; for
    references without spaces between words it is zh if they are Chinese and char if they are Japanese.
    """
    if not testset.references:
        raise ConfigError("comparing words needs a reference", hint=f"e.g. {option_name('references', 'ref.de')}")
    spec = _auto_tok(testset) if tok == AUTO else tokenizer_spec(tok)
    outputs = (testset.output(first), testset.output(second))
    has_reference = np.stack([present(column) for column in testset.references.values()])
    compared = present(outputs[0]) & present(outputs[1]) & has_reference.any(axis=0)
    vocabulary: dict[str, int] = {}
    tokens: list[int] = []
    lengths: list[int] = []
    columns = (*outputs, *testset.references.values())
    for column in columns:
        for words in _tokens(column, compared, spec, lowercase=lowercase):
            tokens += [vocabulary.setdefault(word, len(vocabulary)) for word in words]
            lengths.append(len(words))
    return TokenizedPair(
        systems=(first, second),
        tok=spec,
        vocabulary=tuple(vocabulary),
        token=np.array(tokens, dtype=np.int64),
        text=np.repeat(np.arange(len(lengths)), lengths),
        columns=len(columns),
        compared=compared,
        has_reference=has_reference,
    )


def _auto_tok(testset: TestSet) -> str:
    if not is_unspaced(testset.references.values()):
        return "intl"
    return "char" if {"ja-mecab", "newmm"} & set(script_tokenizers(testset)) else "zh"


def _tokens(column: Column, compared: npt.NDArray[np.bool_], tok: str, *, lowercase: bool) -> Iterator[list[str]]:
    """The tokens of each segment; none for segments that are not compared."""
    change, core = make_tokenizer(tok).reader(lowercase=lowercase)
    for text, counts in zip(column, compared.tolist(), strict=True):
        if text is None or not counts:
            yield []
        else:
            yield _core.tokenize(text if change is None else change(text), core)
