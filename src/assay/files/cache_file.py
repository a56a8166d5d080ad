"""Results in an SQLite file, by digest of what they were computed from, so that later runs need not compute them again.

Results are added in transactions and never changed, so a run that was killed resumes where it stopped. The file can be
deleted at any time. If it is damaged or cannot be written, a warning says so and nothing is cached.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

__all__ = ["CacheFile"]

_KEYS_PER_QUERY = 500  # keys of a query
_LOCK_TIMEOUT = 60.0  # seconds for another process to write its batch
_MAX_FILE_BYTES = 8 << 30  # bytes: the states of tokens take gigabytes
_REMEDY = "to use another folder, set ASSAY_CACHE=FOLDER"

Input = TypeVar("Input")
Value = TypeVar("Value")


class CacheFile(ABC, Generic[Input, Value]):
    """The results of one model. A subclass says what is stored: a row has a key, a short text, bytes and a checksum."""

    layout: ClassVar[str]
    """The folder of its files. A new layout has a new name, and old files are ignored."""
    tables: ClassVar[tuple[str, ...]]
    """Statements that make the tables, if they do not exist. The first table is `results`."""

    def __init__(self, path: Path, database: sqlite3.Connection, warn: Callable[[str], None]) -> None:
        self._path, self._database, self._warn = path, database, warn
        self._is_readable = self._is_writable = True
        for statement in self.tables:
            self._write(database.execute, statement)

    @classmethod
    @contextmanager
    def open(cls, folder: str | Path | None, identity: str, warn: Callable[[str], None]) -> Iterator[Self | None]:
        """The file of a model in a cache folder; None if there is no folder, or it cannot be used."""
        if folder is None:
            yield None
            return
        path = Path(folder) / cls.layout / f"{re.sub(r'[^A-Za-z0-9.+=-]', '_', identity)}.sqlite"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=_LOCK_TIMEOUT)
        except (OSError, sqlite3.OperationalError) as error:
            warn(_not_cached(path, "written", getattr(error, "strerror", None) or str(error)))
            yield None
            return
        with closing(database):
            yield cls(path, database, warn)

    @abstractmethod
    def key(self, item: Input) -> bytes:
        """The digest of what a result is computed from."""

    @abstractmethod
    def encode(self, value: Value) -> tuple[str, bytes] | None:
        """A result as a short text and bytes; None if it is not to be stored."""

    @abstractmethod
    def decode(self, text: str, content: bytes) -> Value:
        """The result; a `TypeError` or `ValueError` if it is damaged."""

    def find(self, inputs: Sequence[Input]) -> dict[Input, Value]:
        """The results of the inputs that are in the file."""
        results: dict[Input, Value] = {}
        for first in range(0, len(inputs), _KEYS_PER_QUERY):
            by_key = {self.key(item): item for item in inputs[first : first + _KEYS_PER_QUERY]}
            marks = ",".join("?" * len(by_key))
            query = f"SELECT * FROM results WHERE key IN ({marks})"  # noqa: S608  # only question marks
            for key, text, content, checksum in self._read(query, list(by_key)):
                try:
                    if zlib.crc32(content) != checksum:
                        raise ValueError("a checksum is wrong")
                    results[by_key[key]] = self.decode(text, content)
                except (TypeError, ValueError) as error:
                    self._stop_reading(error)
        return results

    def add(self, results: Mapping[Input, Value]) -> Mapping[Input, Value]:
        """Write some results; all of them or, if the process is killed, none. A full file stays as it is.

        Results that are in the file already, perhaps from another process, stay there and are returned instead.
        """
        rows = []
        for item, value in results.items():
            if (encoded := self.encode(value)) is not None:
                rows.append((self.key(item), *encoded, zlib.crc32(encoded[1])))
        added = self._write(self._database.executemany, "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", rows)
        return results if added in (None, len(rows)) else {**results, **self.find(list(results))}

    def _read(self, query: str, values: Sequence[object]) -> list[Any]:
        """The rows of a query; none if another process writes for too long, or the file cannot be read."""
        if not self._is_readable:
            return []
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._stop_reading(error)
            return []

    def _stop_reading(self, error: Exception) -> None:
        """Neither read nor write: a locked file would be waited for in every query, a damaged one stays damaged."""
        if isinstance(error, sqlite3.OperationalError):
            self._stop("read", str(error))
        else:
            self._stop("read", f"it is damaged ({error})", "to start a new one, delete it")
        self._is_readable = False

    def _write(self, execute: Callable[..., sqlite3.Cursor], *arguments: object) -> int | None:
        """Write, if possible, and return the number of new rows; None if the file cannot be written.

        A disk that is full or read-only, or a file that is gone, must not end a long run.
        """
        if not self._is_writable:
            return None
        try:
            if self._path.stat().st_size > _MAX_FILE_BYTES:
                self._stop("written", f"it is larger than {_MAX_FILE_BYTES >> 30} GB", "to start a new one, delete it")
                return None
            with self._database:
                return execute(*arguments).rowcount
        except FileNotFoundError:
            self._stop("written", "it was deleted")
        except sqlite3.OperationalError as error:
            self._stop("written", str(error))
        except sqlite3.Error as error:
            self._stop_reading(error)
        return None

    def _stop(self, action: str, reason: str, remedy: str = _REMEDY) -> None:
        """Cache nothing from now on, and say so once."""
        if self._is_writable:
            self._is_writable = False
            self._warn(_not_cached(self._path, action, reason, remedy))


def _not_cached(path: Path, action: str, reason: str, remedy: str = _REMEDY) -> str:
    lost = "results are not cached; an interrupted run starts over"
    return f"{path}: the cache cannot be {action}: {reason[:1].lower()}{reason[1:]}; {lost}; {remedy}"
