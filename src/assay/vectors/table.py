"""A table of word vectors on disk: plain arrays that are mapped into memory, and an index of hashes of the words.

| file | content |
|---|---|
| `table.json` | sizes, the format of the source, notes |
| `matrix` | a row for each word of the source; float32 |
| `words`, `offsets` | the words in UTF-8, and where each starts |
| `hashes`, `rows` | hashes of the words that can be looked up, sorted, and the row of each |
| `ngrams` | rows of n-grams (fastText only); float32 |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.types import Note, NoteKind
from assay.vectors.ngrams import NgramTable
from assay.vectors.packed_words import PackedWords

__all__ = ["DESCRIPTION", "TableDescription", "WordTable"]

DESCRIPTION = "table.json"


@dataclass(frozen=True, slots=True)
class TableDescription:
    """What `table.json` says."""

    format: str
    dimension: int
    rows: int
    words: int
    """How many rows can be looked up."""
    bytes: int
    """The length of all words together."""
    longest: int
    """The length of the longest word, in bytes."""
    minn: int = 0
    maxn: int = 0
    buckets: int = 0
    notes: tuple[tuple[str, str, int, str], ...] = ()
    """Kind, text, count and severity of each note."""


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """An opened table. Nothing is read before it is needed."""

    about: TableDescription
    matrix: npt.NDArray[np.float32]
    words: PackedWords
    hashes: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.uint32]
    ngrams: NgramTable | None

    @classmethod
    def open(cls, folder: Path) -> WordTable:
        """Open a table. An OSError, ValueError or TypeError: it is missing or damaged."""
        about = TableDescription(**json.loads((folder / DESCRIPTION).read_bytes()))
        data, offsets = _mapped(folder / "words", "u1", about.bytes), _mapped(folder / "offsets", "<i8", about.rows + 1)
        row_bytes = 4 * about.dimension
        return cls(
            about=about,
            matrix=_mapped(folder / "matrix", "<f4", about.rows, about.dimension),
            words=PackedWords(data, offsets),
            hashes=_mapped(folder / "hashes", "<u8", about.words),
            rows=_mapped(folder / "rows", "<u4", about.words),
            ngrams=NgramTable(about.minn, about.maxn, _mapped(folder / "ngrams", "u1", about.buckets, row_bytes))
            if about.buckets
            else None,
        )

    def notes(self, where: str) -> tuple[Note, ...]:
        """What is unusual in the file that the table was made from."""
        notes = self.about.notes
        return tuple(Note(NoteKind(kind), text, where, count, severity) for kind, text, count, severity in notes)

    def find(self, words: Sequence[bytes]) -> npt.NDArray[np.int64]:
        """The row of each word, -1 if there is none."""
        packed = PackedWords.of(words)
        rows = np.full(len(words), -1, dtype=np.int64)
        pending = np.flatnonzero((packed.lengths > 0) & (packed.lengths <= self.about.longest))
        hashes = packed.hashes(pending)
        position = np.searchsorted(self.hashes, hashes)
        while len(pending):  # once, unless different words have the same hash
            candidate = np.minimum(position, len(self.hashes) - 1)
            same_hash = (position < len(self.hashes)) & (self.hashes[candidate] == hashes)
            pending, hashes, position = pending[same_hash], hashes[same_hash], position[same_hash]
            row = self.rows[position].astype(np.int64)
            equal = packed.equals(pending, self.words, row)
            rows[pending[equal]] = row[equal]
            pending, hashes, position = pending[~equal], hashes[~equal], position[~equal] + 1
        return rows


def _mapped(path: Path, kind: str, *shape: int) -> npt.NDArray[Any]:
    """An array in a file, which must have exactly its size."""
    dtype = np.dtype(kind)
    expected = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    if path.stat().st_size != expected:
        raise ValueError(f"{path} has {path.stat().st_size} bytes instead of {expected}")
    return np.asarray(np.memmap(path, dtype, mode="r", shape=shape))
