"""Columns of texts as rows of a list of words, for kernels that compare every word with every other."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import SegmentError
from assay.text import make_tokenizer
from assay.types import Column, FloatArray, present

__all__ = ["MAX_TOKENS", "TokenizedTexts", "check_lengths", "tokenize"]

MAX_TOKENS = _core.max_tokens
"""The most tokens of a text."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedTexts:
    """Columns of texts as tokens. A token is a row of `words`; a word may have several rows."""

    words: Sequence[str]
    """By row."""
    rows: tuple[npt.NDArray[np.int32], ...]
    """For each column, the tokens of all its texts, one after another."""
    starts: tuple[npt.NDArray[np.int64], ...]
    """For each column, where the tokens of each text start, and the end."""
    present: tuple[npt.NDArray[np.bool_], ...]
    """For each column, which segments have a text."""

    def lengths(self, column: int) -> npt.NDArray[np.int64]:
        """How many tokens each text has; 0 where there is none."""
        return np.diff(self.starts[column])

    def column(self, column: int, weights: FloatArray | None = None) -> _core.TokenColumn:
        """A column for a kernel, with the weight of each row, if the kernel reads weights."""
        rows = self.rows[column]
        return _core.TokenColumn(
            rows, self.starts[column], self.present[column], None if weights is None else weights[rows]
        )

    def columns(self) -> tuple[_core.TokenColumn, ...]:
        """All columns for a kernel that reads no weights."""
        return tuple(self.column(i) for i in range(len(self.rows)))

    def joined(self, other: TokenizedTexts) -> TokenizedTexts:
        """The columns of both. Equal words have one row."""
        numbers: dict[str, int] = {}
        rows: list[npt.NDArray[np.int32]] = []
        for texts in (self, other):
            places = (numbers.setdefault(word, len(numbers)) for word in texts.words)
            row_of = np.fromiter(places, dtype=np.int32, count=len(texts.words))
            rows += [row_of[column] for column in texts.rows]
        return TokenizedTexts(
            list(numbers), tuple(rows), (*self.starts, *other.starts), (*self.present, *other.present)
        )


def tokenize(columns: Sequence[Column], tok: str, *, lowercase: bool, threads: int = 1) -> TokenizedTexts:
    """The words of a tokeniser; each distinct word has one row."""
    tokenizer = make_tokenizer(tok)
    read = functools.partial(tokenizer.read_column, lowercase=lowercase, threads=threads)
    _, core = tokenizer.reader(lowercase=lowercase)
    words, numbered = _core.number_words(tuple(map(read, columns)), core)
    rows, starts = zip(*numbered, strict=True) if numbered else ((), ())
    return TokenizedTexts(words, tuple(rows), tuple(starts), tuple(map(present, columns)))


def check_lengths(texts: TokenizedTexts, metric: str, names: Sequence[str], first: int) -> None:
    """Raise if a text has too many tokens. `names` are those of the columns, `first` is the index of the first text."""
    for column, name in enumerate(names):
        lengths = texts.lengths(column)
        if (longest := int(lengths.max(initial=0))) > MAX_TOKENS:
            raise SegmentError(
                first + int(lengths.argmax()),
                f"of {name} is too long for {metric}: {longest:,} tokens, at most {MAX_TOKENS:,} are allowed",
                hint="is a line break missing? Split the text into segments",
            )
