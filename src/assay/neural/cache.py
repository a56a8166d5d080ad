"""Results of networks that were computed before, in a file: other metrics and later runs need not compute them again.

A file holds the results of one network. Its keys are digests of token ids. Results are added batch by batch, so a run
that was killed goes on where it stopped, and rows are never changed. The file can be deleted at any time. If it cannot
be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.neural.network import Ids, Result

__all__ = ["ResultCache", "opened_cache"]

_LAYOUT = "networks-1"
_TABLES = (
    "PRAGMA page_size = 16384",  # a vector takes kilobytes
    "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, shape TEXT, numbers BLOB)",
    "CREATE TABLE IF NOT EXISTS plans (key BLOB PRIMARY KEY, batches TEXT) WITHOUT ROWID",
)
_PART = 500  # keys of a query
_WAIT = 60.0  # seconds for another process to write its batch
_LARGEST = 8 << 30  # bytes: the states of tokens take gigabytes


class ResultCache:
    """An open file."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path, self._database = path, database
        self._is_writable = True
        for statement in _TABLES:
            self._write(database.execute, statement)

    def find(self, inputs: Sequence[Ids]) -> dict[Ids, Result]:
        """The results of the inputs that are in the file."""
        found: dict[Ids, Result] = {}
        if not self._has_tables():
            return found
        for first in range(0, len(inputs), _PART):
            by_key = {_key(ids): ids for ids in inputs[first : first + _PART]}
            marks = ",".join("?" * len(by_key))
            query = f"SELECT key, shape, numbers FROM results WHERE key IN ({marks})"  # noqa: S608  # only question marks
            for key, shape, numbers in self._read(query, list(by_key)):
                try:
                    found[by_key[key]] = np.frombuffer(numbers, dtype="<f4").reshape(json.loads(shape))
                except (TypeError, ValueError) as error:  # it was cut off
                    raise _damaged(self._path, error) from error
        return found

    def add(self, results: Mapping[Ids, Result]) -> Mapping[Ids, Result]:
        """Write the results of a batch; all of them or, if the process is killed, none. A full file stays as it is.

        Results that are in the file already, perhaps from another process, stay there and are returned instead.
        """
        present = self.find(list(results))
        rows = [
            (_key(ids), json.dumps(each.shape), each.astype("<f4", copy=False).tobytes())
            for ids, each in results.items()
        ]
        self._write(self._database.executemany, "INSERT OR IGNORE INTO results VALUES (?, ?, ?)", rows)
        return {**results, **present}

    def find_plan(self, inputs: Sequence[Ids], size: int) -> list[list[Ids]]:
        """The batches that were planned for these inputs, if any."""
        if not self._has_tables():
            return []
        rows = self._read("SELECT batches FROM plans WHERE key = ?", [_plan_key(inputs, size)])
        try:
            return [[inputs[i] for i in batch] for (plan,) in rows for batch in json.loads(plan)]
        except (TypeError, ValueError, IndexError) as error:
            raise _damaged(self._path, error) from error

    def add_plan(self, inputs: Sequence[Ids], size: int, plan: Sequence[Sequence[Ids]]) -> None:
        """Keep the batches that are planned for these inputs."""
        index = {ids: i for i, ids in enumerate(inputs)}
        row = _plan_key(inputs, size), json.dumps([[index[ids] for ids in batch] for batch in plan])
        self._write(self._database.execute, "INSERT OR REPLACE INTO plans VALUES (?, ?)", row)

    def _has_tables(self) -> bool:
        """Whether there is anything in the file: a disk may have been full when it was made."""
        return len(self._read("SELECT 1 FROM sqlite_master", [])) > 0

    def _read(self, query: str, values: Sequence[object]) -> list[Any]:
        """The rows of a query; none if another process writes for too long, or the disk cannot be read."""
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            self._is_writable = False
            return []

    def _write(self, execute: Callable[..., object], *arguments: object) -> None:
        """Write, if possible. A disk that is full or read-only, or a file that is gone, must not end a long run."""
        if not self._is_writable:
            return
        try:
            self._is_writable = self._path.stat().st_size <= _LARGEST
            if self._is_writable:
                with self._database:
                    execute(*arguments)
        except (FileNotFoundError, sqlite3.OperationalError):
            self._is_writable = False


@contextmanager
def opened_cache(folder: Path | None, identity: str) -> Iterator[ResultCache | None]:
    """The cache of a network in a folder; None without a folder."""
    if folder is None:
        yield None
        return
    path = folder / _LAYOUT / f"{re.sub(r'[^A-Za-z0-9.+=-]', '_', identity)}.sqlite"
    database = _connected(path)
    if database is None:
        yield None
        return
    try:
        yield ResultCache(path, database)
    except sqlite3.Error as error:
        raise _damaged(path, error) from error
    finally:
        database.close()


def _connected(path: Path) -> sqlite3.Connection | None:
    """An open file; None if there cannot be one in this folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=_WAIT)
    except (FileExistsError, NotADirectoryError) as error:
        folder = path.parent.parent
        raise InputError(
            "the cache is not a folder", path=str(folder), hint="use another: ASSAY_CACHE=FOLDER"
        ) from error
    except (OSError, sqlite3.OperationalError):
        return None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"the cache is damaged: {error}", path=str(path), hint="delete this file")


def _key(ids: Ids) -> bytes:
    return hashlib.sha256(np.array(ids, dtype="<i8").tobytes()).digest()


def _plan_key(inputs: Sequence[Ids], size: int) -> bytes:
    digest = hashlib.sha256(str(size).encode())
    for ids in inputs:
        digest.update(_key(ids))
    return digest.digest()
