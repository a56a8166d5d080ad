"""States of texts that were computed before, in a file: other metrics and later runs need not compute them again.

A file holds the states of one layer of one encoder in one precision. Its keys are digests of token ids. States are
added batch by batch, so a run that was interrupted goes on where it stopped. The file can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import InputError

__all__ = ["StateCache", "opened_cache"]

_LAYOUT = "encodings-1"
_PART = 500  # keys of a query
_WAIT = 60.0  # seconds for another process to write its batch

_Ids = tuple[int, ...]
_States = npt.NDArray[np.float32]


class StateCache:
    """An open file."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path, self._database = path, database

    def find(self, texts: Sequence[_Ids]) -> dict[_Ids, _States]:
        """The states of the texts that are in the file."""
        found: dict[_Ids, _States] = {}
        for first in range(0, len(texts), _PART):
            by_key = {_key(ids): ids for ids in texts[first : first + _PART]}
            marks = ",".join("?" * len(by_key))
            query = f"SELECT key, states FROM texts WHERE key IN ({marks})"  # noqa: S608  # only question marks
            for key, content in self._database.execute(query, list(by_key)):
                ids = by_key[key]
                try:
                    found[ids] = np.frombuffer(content, dtype="<f4").reshape(len(ids), -1)
                except ValueError as error:  # it was cut off
                    raise _unusable(self._path, error) from error
        return found

    def add(self, states: Mapping[_Ids, _States]) -> None:
        """Write the states of some texts; all of them or, if the process is killed, none."""
        rows: Iterable[tuple[bytes, bytes]] = (
            (_key(ids), each.astype("<f4", copy=False).tobytes()) for ids, each in states.items()
        )
        with self._database:
            self._database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", rows)


@contextmanager
def opened_cache(folder: Path | None, encoder: str) -> Iterator[StateCache | None]:
    """The cache of an encoder, with its layer and precision, in a folder; None without a folder."""
    if folder is None:
        yield None
        return
    path = folder / _LAYOUT / f"{encoder}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=_WAIT)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from error
    try:
        database.execute("CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, states BLOB) WITHOUT ROWID")
        yield StateCache(path, database)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    finally:
        database.close()


def _unusable(path: Path, error: Exception) -> InputError:
    hint = "delete it, or use another folder"
    return InputError(f"the cache cannot be used: {error}", path=str(path), hint=hint)


def _key(ids: _Ids) -> bytes:
    return hashlib.blake2b(np.array(ids, dtype="<i8").tobytes(), digest_size=16).digest()
