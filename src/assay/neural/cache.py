"""Results of networks in a file, so that other metrics and later runs need not compute them again.

A file holds the results of one network. Its keys are digests of token ids. Results are added batch by batch and never
changed, so a run that was killed resumes where it stopped. Its plan is deleted when it is complete. The file can be
deleted at any time. If it is damaged or cannot be written, a warning says so and nothing is cached.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from assay.neural.network import Ids, Result
from assay.types.runtime import Runtime, Warn

__all__ = ["ResultCache", "open_cache"]

_LAYOUT = "networks-2"
_TABLES = (
    "PRAGMA page_size = 16384",  # a vector takes kilobytes
    "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, shape TEXT, numbers BLOB, checksum INTEGER)",
    "CREATE TABLE IF NOT EXISTS plans (key BLOB PRIMARY KEY, batches TEXT) WITHOUT ROWID",
)
_KEYS_PER_QUERY = 500  # keys of a query
_LOCK_TIMEOUT = 60.0  # seconds for another process to write its batch
_MAX_FILE_BYTES = 8 << 30  # bytes: the states of tokens take gigabytes
_REMEDY = "to use another folder, set ASSAY_CACHE=FOLDER"


class ResultCache:
    """The cached results of one network."""

    def __init__(self, path: Path, database: sqlite3.Connection, warn: Warn) -> None:
        self._path, self._database, self._warn = path, database, warn
        self._is_readable = self._is_writable = True
        for statement in _TABLES:
            self._write(database.execute, statement)

    def find(self, inputs: Sequence[Ids]) -> dict[Ids, Result]:
        """The results of the inputs that are in the file."""
        results: dict[Ids, Result] = {}
        for first in range(0, len(inputs), _KEYS_PER_QUERY):
            by_key = {_key(ids): ids for ids in inputs[first : first + _KEYS_PER_QUERY]}
            marks = ",".join("?" * len(by_key))
            query = f"SELECT * FROM results WHERE key IN ({marks})"  # noqa: S608  # only question marks
            for key, shape, numbers, checksum in self._read(query, list(by_key)):
                try:
                    if zlib.crc32(numbers) != checksum:
                        raise ValueError("a checksum is wrong")
                    results[by_key[key]] = np.frombuffer(numbers, dtype="<f4").reshape(json.loads(shape))
                except (TypeError, ValueError) as error:
                    self._stop_reading(error)
        return results

    def add(self, results: Mapping[Ids, Result]) -> Mapping[Ids, Result]:
        """Write the results of a batch; all of them or, if the process is killed, none. A full file stays as it is.

        Results that are in the file already, perhaps from another process, stay there and are returned instead. NaN and
        infinity are not written: the next run may have a better precision or a sound device.
        """
        rows = []
        for ids, result in results.items():
            if np.isfinite(result).all():
                numbers = result.astype("<f4", copy=False).tobytes()
                rows.append((_key(ids), json.dumps(result.shape), numbers, zlib.crc32(numbers)))
        added = self._write(self._database.executemany, "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", rows)
        return results if added in (None, len(rows)) else {**results, **self.find(list(results))}

    def find_plan(self, inputs: Sequence[Ids], size: int) -> list[list[Ids]]:
        """The batches that were planned for these inputs, if any."""
        rows = self._read("SELECT batches FROM plans WHERE key = ?", [_plan_key(inputs, size)])
        try:
            return [[inputs[i] for i in batch] for (plan,) in rows for batch in json.loads(plan)]
        except (TypeError, ValueError, IndexError) as error:
            self._stop_reading(error)
            return []

    def add_plan(self, inputs: Sequence[Ids], size: int, plan: Sequence[Sequence[Ids]]) -> None:
        """Store the batches that are planned for these inputs."""
        index = {ids: i for i, ids in enumerate(inputs)}
        row = _plan_key(inputs, size), json.dumps([[index[ids] for ids in batch] for batch in plan])
        self._write(self._database.execute, "INSERT OR REPLACE INTO plans VALUES (?, ?)", row)

    def remove_plan(self, inputs: Sequence[Ids], size: int) -> None:
        """Forget the batches of a run that is complete."""
        self._write(self._database.execute, "DELETE FROM plans WHERE key = ?", [_plan_key(inputs, size)])

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


@contextmanager
def open_cache(runtime: Runtime, identity: str) -> Iterator[ResultCache | None]:
    """The cache of a network in the folder of a runtime; None if there is no folder, or it cannot be used."""
    if runtime.cache is None:
        yield None
        return
    path = Path(runtime.cache) / _LAYOUT / f"{re.sub(r'[^A-Za-z0-9.+=-]', '_', identity)}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=_LOCK_TIMEOUT)
    except (OSError, sqlite3.OperationalError) as error:
        runtime.warn(_not_cached(path, "written", getattr(error, "strerror", None) or str(error)))
        yield None
        return
    with closing(database):
        yield ResultCache(path, database, runtime.warn)


def _not_cached(path: Path, action: str, reason: str, remedy: str = _REMEDY) -> str:
    lost = "results are not cached; an interrupted run starts over"
    return f"{path}: the cache cannot be {action}: {reason[:1].lower()}{reason[1:]}; {lost}; {remedy}"


def _key(ids: Ids) -> bytes:
    return hashlib.sha256(np.array(ids, dtype="<i8").tobytes()).digest()


def _plan_key(inputs: Sequence[Ids], size: int) -> bytes:
    digest = hashlib.sha256(str(size).encode())
    for ids in inputs:
        digest.update(_key(ids))
    return digest.digest()
