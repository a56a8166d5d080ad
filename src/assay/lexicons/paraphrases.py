"""Tables of paraphrases: a compressed file with three lines for each entry, converted once to arrays that are mapped.

| file | content |
|---|---|
| `table.json` | sizes |
| `words` | the words of the table, a line each |
| the others | phrases as a trie, and their paraphrases (cpp/include/assay/paraphrases.hpp) |
"""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.converted import open_converted
from assay.errors import EmptyInputError, InputError
from assay.folders import cache_folder
from assay.resources import Resource
from assay.runtime import Runtime

__all__ = ["Paraphrases", "folder_of", "open_paraphrases", "open_table"]

_LAYOUT = "paraphrases-1"  # a new number for each new layout of tables
_DESCRIPTION = "table.json"
_ARRAYS = ("last_words", "first_children", "first_paraphrases", "paraphrases")
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """An opened table."""

    table: _core.ParaphraseTable
    _numbers: dict[str, int]

    def numbers(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of words in the table, -1 for those that are not in it."""
        return np.fromiter((self._numbers.get(word, -1) for word in words), dtype=np.int32, count=len(words))


def open_paraphrases(resource: Resource, runtime: Runtime) -> Paraphrases:
    """Open a table of paraphrases, once while its file does not change; the first time ever, convert the file."""
    folder = folder_of(resource)
    if folder not in _opened:
        _opened[folder] = open_converted(folder, open_table, functools.partial(_convert, resource.path, runtime))
    return _opened[folder]


_opened: dict[Path, Paraphrases] = {}


def folder_of(resource: Resource) -> Path:
    """Where a file is when it has been converted."""
    return cache_folder() / _LAYOUT / resource.sha256


def open_table(folder: Path) -> Paraphrases:
    """Open a converted file. An OSError, ValueError or TypeError: it is missing or damaged."""
    sizes = json.loads((folder / _DESCRIPTION).read_bytes())
    words = (folder / "words").read_bytes()
    if set(sizes) != {"words", *_ARRAYS} or len(words) != sizes["words"]:
        raise ValueError(f"{folder} is damaged")
    arrays = [_mapped(folder / name, int(sizes[name])) for name in _ARRAYS]
    numbers = {word: number for number, word in enumerate(words.decode("utf-8", "replace").split("\n")[:-1])}
    return Paraphrases(_core.ParaphraseTable(*arrays), numbers)


def _mapped(path: Path, size: int) -> npt.NDArray[np.uint32]:
    """An array in a file, which must have exactly its size."""
    if path.stat().st_size != 4 * size:
        raise ValueError(f"{path} has {path.stat().st_size} bytes instead of {4 * size}")
    return np.asarray(np.memmap(path, "<u4", mode="r", shape=(size,)))


def _convert(path: Path, runtime: Runtime, folder: Path) -> None:
    builder = _core.ParaphraseBuilder()
    for piece in _pieces(path, runtime):
        builder.add(piece)
    if builder.lines == 0:
        raise EmptyInputError("there are no paraphrases in it", path=str(path))
    if builder.lines % 3:
        hint = "a probability, a phrase and a paraphrase are three lines; is the file complete?"
        raise InputError(f"has {builder.lines:,} lines, not three for each entry", path=str(path), hint=hint)
    words, *arrays = builder.finish()
    (folder / "words").write_bytes(words)
    for name, array in zip(_ARRAYS, arrays, strict=True):
        array.astype("<u4", copy=False).tofile(folder / name)
    sizes = {"words": len(words)} | {name: len(array) for name, array in zip(_ARRAYS, arrays, strict=True)}
    (folder / _DESCRIPTION).write_text(json.dumps(sizes), encoding="utf-8")


def _pieces(path: Path, runtime: Runtime) -> Iterator[bytes]:
    task, size = f"Converting {path.name}", path.stat().st_size
    try:
        with path.open("rb") as raw, gzip.GzipFile(fileobj=raw) as file:
            while piece := file.read(_PIECE):
                runtime.report(task, min(raw.tell(), size), size)
                yield piece
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        hint = "was it downloaded completely? compare its size with the original"
        raise InputError(f"damaged gzip file: {error}", path=str(path), hint=hint) from error
    runtime.report(task, size, size)
