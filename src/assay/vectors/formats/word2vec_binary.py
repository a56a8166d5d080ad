"""The binary format of word2vec: `COUNT DIMENSION`, then each word, a space and its vector as float32.

word2vec itself ends every vector with a line break; other programs do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import BLOCK, Rows, VectorFile, VectorFormat, vector_format
from assay.vectors.source_files import Source, opened
from assay.vectors.text_rows import HEADER, is_text_row

__all__ = ["Word2vecBinary"]

_LONGEST_WORD = 1 << 20


@vector_format("word2vec_binary")
@dataclass(frozen=True)
class Word2vecBinary(VectorFormat):
    """Recognised by its header and by a binary row after it."""

    label = "word2vec binary"
    reads_compressed = True

    def recognises(self, head: bytes) -> bool:
        header = HEADER.match(head)
        return header is not None and not is_text_row(head[header.end() :])

    def read(self, path: Path) -> VectorFile:
        return VectorFile(_rows(path))


def _rows(path: Path) -> Iterator[Rows]:
    with opened(path) as source:
        entries = _Entries(source)
        while entries.index < entries.count:
            words: list[bytes] = []
            vectors: list[npt.NDArray[np.float32]] = []
            while len(words) < BLOCK and entries.index < entries.count:
                word, vector = entries.next()
                words.append(word)
                vectors.append(vector)
            yield Rows(words, np.stack(vectors), source.position)
        entries.check_end()


class _Entries:
    """The words of a file one by one, from a buffer that is refilled."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._data = source.read_some()
        header = HEADER.match(self._data)
        self.count, self.dimension = (0, 0) if header is None else (int(header[1]), int(header[2]))
        self._start = 0 if header is None else header.end()
        self.index = 0

    def next(self) -> tuple[bytes, npt.NDArray[np.float32]]:
        size = 4 * self.dimension
        while (space := self._data.find(b" ", self._start)) < 0 or len(self._data) < space + 1 + size:
            if space < 0 and len(self._data) - self._start > _LONGEST_WORD:
                raise self._error(f"no end of word {self.index + 1:,}")
            if not self._refill():
                raise self._error(f"it ends in word {self.index + 1:,} of {self.count:,}: the file is cut off")
        word = self._data[self._start : space].lstrip(b"\n")
        self._start = space + 1 + size
        self.index += 1
        return word, np.frombuffer(self._data, dtype="<f4", count=self.dimension, offset=space + 1)

    def check_end(self) -> None:
        """Refuse a file that has more than its header says."""
        while len(self._data) - self._start < 2 and self._refill():
            pass
        if self._data[self._start :] not in (b"", b"\n"):
            raise self._error(f"there is more than the {plural(self.count, 'word')} of the first line")

    def _refill(self) -> bool:
        more = self._source.read_some()
        self._data, self._start = self._data[self._start :] + more, 0
        return bool(more)

    def _error(self, message: str) -> InputError:
        return InputError(message, path=str(self._source.path), hint="compare its size with the original")
