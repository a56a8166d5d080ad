"""fastText's `.bin`: its words, and one matrix with the rows of words and then of n-grams.

    int32 magic, version
    int32 dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn, lrUpdateRate; double t
    int32 size, nwords, nlabels; int64 ntokens, pruneidx_size
    size × (word, NUL, int64 count, int8 type); words first, then the labels of a classifier
    bool is_quantised; int64 rows, columns; float32 matrix                           the input
    bool is_quantised; int64 rows, columns; float32 matrix                           the output, which is not read

The vector of a word is the mean of its row and of those of its n-grams (`ngrams`).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import BLOCK, Rows, VectorFile, VectorFormat, vector_format
from assay.vectors.ngrams import NgramTable
from assay.vectors.source_files import opened_plain

__all__ = ["FastText"]

_MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_ARGUMENTS = struct.Struct("<4si12id")
_DICTIONARY = struct.Struct("<iiiqq")
_MATRIX = struct.Struct("<?qq")
_AFTER_WORD = 9  # its count and type
_SUPERVISED = 3
_NOT_PRUNED = -1


@vector_format("fasttext")
@dataclass(frozen=True)
class FastText(VectorFormat):
    """Recognised by its magic number."""

    label = "fastText .bin"

    def recognises(self, head: bytes) -> bool:
        return head.startswith(_MAGIC)

    def check(self, path: Path) -> None:
        _Model(path)

    def read(self, path: Path) -> VectorFile:
        model = _Model(path)
        return VectorFile(model.rows(), model.ngrams)


class _Model:
    """The parts of a file that vectors are made of."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with opened_plain(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            self._content, self._position, self._size = content, 0, len(content)
            _, version, dimension, *_, model, bucket, minn, maxn, _, _ = self._unpacked(_ARGUMENTS)
            if version not in _VERSIONS:
                raise self._error(f"version {version} of fastText's format is not known")
            self._words = self._read_words()
            rows = self._read_matrix(dimension)
            self._check_complete()
        if version == 11 and model == _SUPERVISED:
            maxn = 0  # as fastText reads them: old classifiers have no n-grams
        count = len(self._words)
        buckets = 0 if maxn == 0 else bucket
        if len(rows) < count + buckets:
            raise self._error(f"{plural(len(rows), 'row')} for {plural(count, 'word')} and {plural(buckets, 'n-gram')}")
        self._own = rows[:count]
        self.ngrams = NgramTable(max(minn, 1), maxn, rows[count : count + buckets]) if buckets else None

    def rows(self) -> Iterator[Rows]:
        """The vectors of words: means of their own rows and those of their n-grams."""
        for start in range(0, len(self._words), BLOCK):
            words = self._words[start : start + BLOCK]
            vectors = np.array(self._own[start : start + BLOCK]).view(np.dtype("<f4"))
            if self.ngrams is not None:
                sums, counts = self.ngrams.sums(words)
                vectors = (vectors + sums) / (counts + 1).astype(np.float32)[:, None]
            yield Rows(words, vectors, self._size * (start + len(words)) // len(self._words))

    def _read_words(self) -> list[bytes]:
        size, count, _, _, pruned = self._unpacked(_DICTIONARY)
        if pruned != _NOT_PRUNED:
            raise self._quantised()
        words = []
        for _ in range(size):
            end = self._content.find(b"\0", self._position)
            if end < 0 or end + 1 + _AFTER_WORD > self._size:
                raise self._cut_off()
            words.append(self._content[self._position : end])
            self._position = end + 1 + _AFTER_WORD
        return words[:count]

    def _read_matrix(self, dimension: int) -> npt.NDArray[np.uint8]:
        """The rows of the input as bytes in the file."""
        is_quantised, rows, columns = self._unpacked(_MATRIX)
        if is_quantised:
            raise self._quantised()
        if columns != dimension or rows < 0:
            raise self._error(f"the matrix is {rows:,} × {columns:,}, but vectors have {dimension:,} components")
        start, length = self._position, 4 * rows * columns
        if start + length > self._size:
            raise self._cut_off()
        self._position += length
        return np.asarray(np.memmap(self._path, np.uint8, mode="r", offset=start, shape=(rows, 4 * columns)))

    def _check_complete(self) -> None:
        is_quantised, rows, columns = self._unpacked(_MATRIX)
        if not is_quantised and self._position + 4 * rows * columns > self._size:
            raise self._cut_off()

    def _unpacked(self, layout: struct.Struct) -> tuple[int, ...]:
        if self._position + layout.size > self._size:
            raise self._cut_off()
        values: tuple[int, ...] = layout.unpack_from(self._content, self._position)
        self._position += layout.size
        return values

    def _cut_off(self) -> InputError:
        message = f"the file is cut off: it ends at byte {self._size:,}"
        return self._error(message, hint="compare its size with the original")

    def _quantised(self) -> InputError:
        return self._error("quantised models (.ftz) cannot be read", hint="use the .bin that it was made from")

    def _error(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, path=str(self._path), hint=hint)
