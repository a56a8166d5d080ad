"""Results of networks that were computed before, in a file: other metrics and later runs need not compute them again.

A file holds the results of one network. Its keys are digests of token ids. Results are added batch by batch, so a run
that was killed goes on where it stopped, and rows are never changed. The file can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.neural.network import Ids, Result

__all__ = ["ResultCache", "opened_cache"]

_LAYOUT = "networks-1"
_TABLES = (
    "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, shape TEXT, numbers BLOB) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS plans (key BLOB PRIMARY KEY, batches TEXT) WITHOUT ROWID",
)
_PART = 500  # keys of a query
_WAIT = 60.0  # seconds for another process to write its batch
_LARGEST = 8 << 30  # bytes: the states of tokens take gigabytes


class ResultCache:
    """An open file."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path, self._database = path, database
        self._is_full = False

    def find(self, inputs: Sequence[Ids]) -> dict[Ids, Result]:
        """The results of the inputs that are in the file."""
        found: dict[Ids, Result] = {}
        for first in range(0, len(inputs), _PART):
            by_key = {_key(ids): ids for ids in inputs[first : first + _PART]}
            marks = ",".join("?" * len(by_key))
            query = f"SELECT key, shape, numbers FROM results WHERE key IN ({marks})"  # noqa: S608  # only question marks
            for key, shape, numbers in self._database.execute(query, list(by_key)):
                try:
                    found[by_key[key]] = np.frombuffer(numbers, dtype="<f4").reshape(json.loads(shape))
                except (TypeError, ValueError) as error:  # it was cut off
                    raise _unusable(self._path, error) from error
        return found

    def add(self, results: Mapping[Ids, Result]) -> None:
        """Write the results of a batch; all of them or, if the process is killed, none. A full file stays as it is."""
        if self._is_full or self._path.stat().st_size > _LARGEST:
            return
        rows = [
            (_key(ids), json.dumps(each.shape), each.astype("<f4", copy=False).tobytes())
            for ids, each in results.items()
        ]
        try:
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                raise
            self._is_full = True  # a full disk must not end a long run

    def find_plan(self, inputs: Sequence[Ids], size: int) -> list[list[Ids]]:
        """The batches that were planned for these inputs, if any."""
        row = self._database.execute("SELECT batches FROM plans WHERE key = ?", [_plan_key(inputs, size)]).fetchone()
        return [] if row is None else [[inputs[i] for i in batch] for batch in json.loads(row[0])]

    def add_plan(self, inputs: Sequence[Ids], size: int, plan: Sequence[Sequence[Ids]]) -> None:
        """Keep the batches that are planned for these inputs."""
        index = {ids: i for i, ids in enumerate(inputs)}
        row = _plan_key(inputs, size), json.dumps([[index[ids] for ids in batch] for batch in plan])
        with self._database:
            self._database.execute("INSERT OR REPLACE INTO plans VALUES (?, ?)", row)


@contextmanager
def opened_cache(folder: Path | None, identity: str) -> Iterator[ResultCache | None]:
    """The cache of a network in a folder; None without a folder."""
    if folder is None:
        yield None
        return
    path = folder / _LAYOUT / f"{re.sub(r'[^A-Za-z0-9.+=-]', '_', identity)}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=_WAIT)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from error
    try:
        for statement in _TABLES:
            database.execute(statement)
        yield ResultCache(path, database)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    finally:
        database.close()


def _unusable(path: Path, error: Exception) -> InputError:
    hint = "delete it, or use another folder: ASSAY_CACHE=FOLDER"
    return InputError(f"the cache cannot be used: {error}", path=str(path), hint=hint)


def _key(ids: Ids) -> bytes:
    return hashlib.sha256(np.array(ids, dtype="<i8").tobytes()).digest()


def _plan_key(inputs: Sequence[Ids], size: int) -> bytes:
    digest = hashlib.sha256(str(size).encode())
    for ids in inputs:
        digest.update(_key(ids))
    return digest.digest()
