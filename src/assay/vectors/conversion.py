"""Convert a file of word vectors to a table (`table`), block by block, so that memory does not grow with the matrix.

Every row of the file is a row of the table. Rows that cannot be looked up (no finite vector, an empty word, a word that
came before) are left out of the index, counted and noted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import EmptyInputError, InputError
from assay.files.resources import Resource
from assay.types import NoteKind
from assay.types.note import listed, plural
from assay.types.runtime import Runtime
from assay.vectors.formats import Rows, VectorFormat, find_format
from assay.vectors.ngrams import NgramTable
from assay.vectors.packed_words import PackedWords
from assay.vectors.table import DESCRIPTION, TableDescription

__all__ = ["convert"]

_BLOCK = 1 << 24  # bytes


def convert(resource: Resource, folder: Path, runtime: Runtime) -> None:
    """Write the table of a file into a folder."""
    reader, before = find_format(resource.path), resource.sha256
    folder.mkdir(exist_ok=True)
    about = _Writer(reader, resource.path, folder, runtime).write()
    (folder / DESCRIPTION).write_text(json.dumps(asdict(about)), encoding="utf-8")
    if resource.sha256 != before:  # read again only if the size or the times of the file have changed
        hint = "start again when it is complete"
        raise InputError("the file changed while it was converted", path=str(resource.path), hint=hint)


class _Writer:
    """The files of one table, while they are written."""

    def __init__(self, reader: VectorFormat, path: Path, folder: Path, runtime: Runtime) -> None:
        self._reader, self._path, self._folder, self._runtime = reader, path, folder, runtime
        self._size = path.stat().st_size
        self._task = f"converting {path.name}"

    def write(self) -> TableDescription:
        """Write everything."""
        content = self._reader.read(self._path)
        about = self._write_rows(content.rows)
        if (ngrams := content.ngrams) is None:
            return about
        self._write_ngrams(ngrams)
        return replace(about, minn=ngrams.minn, maxn=ngrams.maxn, buckets=len(ngrams.rows))

    def _write_rows(self, blocks: Iterable[Rows]) -> TableDescription:
        """Write the words and their vectors, and the index."""
        words: list[bytes] = []
        finite: list[npt.NDArray[np.bool_]] = []
        zeros: list[npt.NDArray[np.bool_]] = []
        dimension = 0
        with (self._folder / "matrix").open("wb") as file:
            for rows in self._reported(blocks):
                words += rows.words
                finite.append(np.asarray(np.isfinite(rows.matrix).all(axis=1)))
                zeros.append(np.logical_not(rows.matrix.any(axis=1)))
                dimension = rows.matrix.shape[1]
                rows.matrix.astype("<f4", copy=False).tofile(file)
        if not words:
            raise EmptyInputError("there are no word vectors in it", path=str(self._path))
        packed = PackedWords.of(words)
        packed.data.tofile(self._folder / "words")
        packed.offsets.astype("<i8").tofile(self._folder / "offsets")
        index = _Index(packed, np.concatenate(finite), np.concatenate(zeros))
        hashes, order = index.sorted()
        hashes.astype("<u8").tofile(self._folder / "hashes")
        order.astype("<u4").tofile(self._folder / "rows")
        if not len(order):
            raise EmptyInputError("no word in it has a finite vector", path=str(self._path))
        return TableDescription(
            format=self._reader.label,
            dimension=dimension,
            rows=len(words),
            words=len(order),
            bytes=len(packed.data),
            longest=int(packed.lengths.max()),
            notes=tuple(index.notes()),
        )

    def _write_ngrams(self, ngrams: NgramTable) -> None:
        rows = max(1, _BLOCK // ngrams.rows.shape[1])
        with (self._folder / "ngrams").open("wb") as file:
            for start in range(0, len(ngrams.rows), rows):
                ngrams.rows[start : start + rows].tofile(file)

    def _reported(self, blocks: Iterable[Rows]) -> Iterator[Rows]:
        self._runtime.report(self._task, 0, self._size)
        for rows in blocks:
            yield rows
            self._runtime.report(self._task, min(rows.bytes_read, self._size), self._size)


class _Index:
    """Which rows can be looked up, and what is unusual in the others."""

    def __init__(self, words: PackedWords, finite: npt.NDArray[np.bool_], zeros: npt.NDArray[np.bool_]) -> None:
        self._words, self._finite, self._zeros = words, finite, zeros
        self._repeated: list[int] = []

    def sorted(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """The hashes of the words that can be looked up, sorted, and their rows."""
        rows = np.flatnonzero(self._finite & (self._words.lengths > 0))
        hashes = self._words.hashes(rows)
        order = np.argsort(hashes, kind="stable")
        hashes, rows = hashes[order], rows[order]
        is_first = self._first_of_each_word(hashes, rows)
        return hashes[is_first], rows[is_first]

    def _first_of_each_word(self, hashes: npt.NDArray[np.uint64], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether no earlier row has the same word. Only rows with equal hashes are compared."""
        is_first = np.ones(len(rows), dtype=np.bool_)
        seen: set[bytes] = set()
        like_the_last = np.append(False, hashes[1:] == hashes[:-1])
        for position in np.flatnonzero(like_the_last | np.append(like_the_last[1:], False)):
            word = self._words.word(int(rows[position]))
            is_first[position] = word not in seen
            seen.add(word)
        self._repeated = sorted(rows[~is_first].tolist())
        return is_first

    def notes(self) -> Iterator[tuple[str, str, int, str]]:
        """Kind, text, count and severity for everything unusual."""
        no_number = np.flatnonzero(~self._finite).tolist()
        nameless = np.flatnonzero(self._words.lengths == 0).tolist()
        zeros = np.flatnonzero(self._zeros).tolist()
        undecodable = [row for row in range(len(self._words)) if not _is_text(self._words.word(row))]
        for kind, rows, text, severity in (
            (NoteKind.EXCLUDED, no_number, "{} left out, with NaN or infinity in them: {}", "warning"),
            (
                NoteKind.DUPLICATE,
                self._repeated,
                "{} left out, after an earlier one of the same word: {}",
                "warning",
            ),
            (NoteKind.EXCLUDED, nameless, "{} without a word left out", "note"),
            (NoteKind.KEPT, zeros, "{} of zeros: {}", "note"),
            (NoteKind.KEPT, undecodable, "{} of words that are not UTF-8, which no text has: {}", "note"),
        ):
            if rows:
                yield kind, text.format(plural(len(rows), "vector"), self._examples(rows)), len(rows), severity

    def _examples(self, rows: list[int]) -> str:
        """The first different words of some rows."""
        words = (self._words.word(row).decode("utf-8", "backslashreplace") for row in rows)
        return listed(dict.fromkeys(f"'{word}'" for word in words))


def _is_text(word: bytes) -> bool:
    try:
        word.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
