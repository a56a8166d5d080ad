"""Lines of a word and its vector, as word2vec, fastText and GloVe write them: `house 0.12 -0.5 …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import BLOCK, Rows
from assay.vectors.source_files import Source

__all__ = ["HEADER", "count_numbers", "is_text_row", "numbered_lines", "text_rows"]


def numbered_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, without the white space at their ends and without empty lines at the end."""
    empty = 0
    for number, line in enumerate(source.lines(), 1):
        stripped = line.rstrip(b" \t\r")
        if not stripped:
            empty = empty or number
            continue
        if empty:
            raise InputError("empty line", path=str(source.path), line=empty)
        yield number, stripped


def text_rows(source: Source, dimension: int, lines: Iterable[tuple[int, bytes]]) -> Iterator[Rows]:
    """The rows of numbered lines."""
    words: list[bytes] = []
    vectors: list[npt.NDArray[np.float32]] = []
    for number, line in lines:
        word, vector = _parsed(source.path, number, line.split(b" "), dimension)
        words.append(word)
        vectors.append(vector)
        if len(words) == BLOCK:
            yield Rows(words, np.stack(vectors), source.position)
            words, vectors = [], []
    if words:
        yield Rows(words, np.stack(vectors), source.position)


def count_numbers(fields: list[bytes]) -> int:
    """How many numbers are at the end of a line; its first field is always a word."""
    count = 0
    while count < len(fields) - 1 and _is_number(fields[-1 - count]):
        count += 1
    return count


def _parsed(path: Path, number: int, fields: list[bytes], dimension: int) -> tuple[bytes, npt.NDArray[np.float32]]:
    """The word and the vector of a line. A word may have spaces in it, as some of GloVe have, but no numbers."""
    if len(fields) != dimension + 1 and count_numbers(fields) != dimension:
        found = count_numbers(fields)
        hint = "is the line, or the file, cut off?" if found < dimension else "all vectors must have the same dimension"
        message = f"{plural(found, 'number')} instead of the {dimension:,} of the first line"
        raise InputError(message, path=str(path), line=number, hint=hint)
    try:
        with np.errstate(over="ignore"):  # infinity, which is noted
            return b" ".join(fields[:-dimension]), np.array(fields[-dimension:], dtype=np.float32)
    except ValueError:
        wrong = next(field for field in fields[-dimension:] if not _is_number(field))
        raise InputError(f"{wrong.decode(errors='replace')!r} is not a number", path=str(path), line=number) from None


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


HEADER = re.compile(rb"(\d+)[ \t]+(\d+)[ \t]*\r?(?:\n|\Z)")
"""The number of words, and that of components."""


def is_text_row(rest: bytes) -> bool:
    """Whether numbers in ASCII follow the first word, rather than binary ones."""
    numbers = rest.partition(b"\n")[0].partition(b" ")[2]
    return re.fullmatch(rb"[\t\r -~]*", numbers) is not None
