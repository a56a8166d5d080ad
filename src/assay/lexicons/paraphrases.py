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
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import EmptyInputError, InputError, printable
from assay.files import cache_folder
from assay.files.converted import open_converted
from assay.files.resources import Resource
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Paraphrases", "folder_of", "open_paraphrases", "open_table"]

_LAYOUT = "paraphrases-1"  # a new number for each new layout of tables
_DESCRIPTION = "table.json"
_ARRAYS = ("last_words", "first_children", "first_paraphrases", "paraphrases")
_PIECE = 1 << 20
_ENTRY = "each entry has three lines: probability, phrase, paraphrase; is the file complete?"


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """An opened table."""

    table: _core.ParaphraseTable
    _numbers: dict[str, int]

    def numbers(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of words in the table, -1 for those that are not in it."""
        return np.fromiter((self._numbers.get(word, -1) for word in words), dtype=np.int32, count=len(words))


def open_paraphrases(resource: Resource, runtime: Runtime) -> Paraphrases:
    """Open a table of paraphrases, converting the file on first use."""
    return open_converted(folder_of(resource), open_table, functools.partial(_convert, resource.path, runtime))


def folder_of(resource: Resource) -> Path:
    """Where a file is when it has been converted."""
    return cache_folder() / _LAYOUT / resource.sha256


@functools.cache
def open_table(folder: Path) -> Paraphrases:
    """Open a converted file, once: its folder is named after its digest.

    An OSError, ValueError or TypeError: it is missing or damaged.
    """
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
    for lines in _whole_lines(_pieces(path, runtime)):
        _check_lines(path, lines, builder.lines)
        builder.add(lines)
    if builder.lines == 0:
        raise EmptyInputError("contains no paraphrases", path=str(path))
    if builder.lines % 3:
        raise InputError(f"has {plural(builder.lines, 'line')}, not three for each entry", path=str(path), hint=_ENTRY)
    words, *arrays = builder.finish()
    (folder / "words").write_bytes(words)
    for name, array in zip(_ARRAYS, arrays, strict=True):
        array.astype("<u4", copy=False).tofile(folder / name)
    sizes = {"words": len(words)} | {name: len(array) for name, array in zip(_ARRAYS, arrays, strict=True)}
    (folder / _DESCRIPTION).write_text(json.dumps(sizes), encoding="utf-8")


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that end where a line ends."""
    rest = b""
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield rest + piece[:end]
            rest = b""
        rest += piece[end:]
    if rest:
        yield rest


def _check_lines(path: Path, lines: bytes, count: int) -> None:
    """Raise if a line is not UTF-8, or the first of an entry is not a number. `count` lines are before these."""
    try:
        lines.decode()
    except UnicodeDecodeError as error:
        number = count + lines.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8", path=str(path), line=number, hint=_ENTRY) from None
    first = -count % 3
    probabilities = lines.removesuffix(b"\n").split(b"\n")[first::3]
    try:
        is_number = math.isfinite(sum(map(float, probabilities)))
    except ValueError:
        is_number = False
    if not is_number:
        place, text = next((i, text) for i, text in enumerate(probabilities) if not _is_number(text))
        number = count + first + 3 * place + 1
        message = f"'{printable(text.decode())}' is not a probability"
        raise InputError(message, path=str(path), line=number, hint=_ENTRY)


def _is_number(text: bytes) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _pieces(path: Path, runtime: Runtime) -> Iterator[bytes]:
    task, size = f"converting {path.name}", path.stat().st_size
    try:
        with path.open("rb") as raw, gzip.GzipFile(fileobj=raw) as file:
            while piece := file.read(_PIECE):
                runtime.report(task, min(raw.tell(), size), size)
                yield piece
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        hint = "was it downloaded completely? compare its size with the original"
        raise InputError("is damaged or not a gzip file: it cannot be unpacked", path=str(path), hint=hint) from error
    runtime.report(task, size, size)
