"""The text format of GloVe: a line for each word and its vector, without a header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from assay.vectors.formats import Rows, VectorFile, VectorFormat, vector_format
from assay.vectors.source_files import opened
from assay.vectors.text_rows import HEADER, count_numbers, numbered_lines, text_rows

__all__ = ["Glove"]


@vector_format("glove")
@dataclass(frozen=True)
class Glove(VectorFormat):
    """Recognised by at least two numbers after the first word, at the end of the line or among most of its fields."""

    label = "GloVe text"
    reads_compressed = True

    def recognises(self, head: bytes) -> bool:
        line = head.partition(b"\n")[0]
        return HEADER.match(head) is None and b"\0" not in line and _dimension(_fields(line)) >= 2

    def read(self, path: Path) -> VectorFile:
        return VectorFile(_rows(path))


def _fields(line: bytes) -> list[bytes]:
    return line.rstrip(b" \t\r").split(b" ")


def _dimension(fields: list[bytes]) -> int:
    """The numbers at the end of a line; all fields but the first if one is no number, so that an error can name it."""
    count = count_numbers(fields)
    numbers = sum(count_numbers([b"", field]) for field in fields[1:])
    return len(fields) - 1 if count < 2 <= numbers and 2 * numbers >= len(fields) else count


def _rows(path: Path) -> Iterator[Rows]:
    with opened(path) as source:
        lines = numbered_lines(source)
        first = next(lines)
        yield from text_rows(source, _dimension(_fields(first[1])), chain((first,), lines))
