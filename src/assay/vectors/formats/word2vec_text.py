"""The text format of word2vec and of fastText's `.vec` files: `COUNT DIMENSION`, then a line for each word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import Rows, VectorFile, VectorFormat, vector_format
from assay.vectors.source_files import opened
from assay.vectors.text_rows import HEADER, is_text_row, numbered_lines, text_rows

__all__ = ["Word2vecText"]


@vector_format("word2vec_text")
@dataclass(frozen=True)
class Word2vecText(VectorFormat):
    """Recognised by its header and by an ASCII row after it."""

    label = "word2vec text or fastText .vec"
    reads_compressed = True

    def recognises(self, head: bytes) -> bool:
        header = HEADER.match(head)
        return header is not None and is_text_row(head[header.end() :])

    def read(self, path: Path) -> VectorFile:
        return VectorFile(_rows(path))


def _rows(path: Path) -> Iterator[Rows]:
    with opened(path) as source:
        lines = numbered_lines(source)
        _, header = next(lines)
        count, dimension = map(int, header.split())
        if not dimension:
            raise InputError("the vectors have no components", path=str(path), line=1)
        yield from text_rows(source, dimension, _counted(lines, count, path))


def _counted(lines: Iterable[tuple[int, bytes]], count: int, path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines, which must be as many as the header says."""
    number = 1
    for number, line in lines:
        if number > count + 1:
            raise InputError(f"there are more words than the {count:,} of the first line", path=str(path), line=number)
        yield number, line
    if number < count + 1:
        message = f"the first line says {plural(count, 'word')}, but there are {number - 1:,}"
        raise InputError(message, path=str(path), line=number, hint="is the file cut off?")
