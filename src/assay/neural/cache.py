"""Results of networks in a file, so that other metrics and later runs need not compute them again.

A file holds the results of one network. Its keys are digests of token ids. Results are added batch by batch, and the
plan of the batches is deleted when it is complete.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

import numpy as np

from assay.files.cache_file import CacheFile
from assay.neural.network import Ids, Result
from assay.types.runtime import Runtime

__all__ = ["ResultCache", "open_cache"]


class ResultCache(CacheFile[Ids, Result]):
    """The cached results of one network, and the batches that are planned."""

    layout: ClassVar[str] = "networks-2"
    tables: ClassVar[tuple[str, ...]] = (
        "PRAGMA page_size = 16384",  # a vector takes kilobytes
        "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, shape TEXT, numbers BLOB, checksum INTEGER)",
        "CREATE TABLE IF NOT EXISTS plans (key BLOB PRIMARY KEY, batches TEXT) WITHOUT ROWID",
    )

    def key(self, item: Ids) -> bytes:
        """The digest of token ids."""
        return hashlib.sha256(np.array(item, dtype="<i8").tobytes()).digest()

    def encode(self, value: Result) -> tuple[str, bytes] | None:
        """Shape and numbers. NaN and infinity are not stored: the next run may have a better precision or device."""
        if not np.isfinite(value).all():
            return None
        return json.dumps(value.shape), value.astype("<f4", copy=False).tobytes()

    def decode(self, text: str, content: bytes) -> Result:
        """The array."""
        return np.frombuffer(content, dtype="<f4").reshape(json.loads(text))

    def find_plan(self, inputs: Sequence[Ids], size: int) -> list[list[Ids]]:
        """The batches that were planned for these inputs, if any."""
        rows = self._read("SELECT batches FROM plans WHERE key = ?", [self._plan_key(inputs, size)])
        try:
            return [[inputs[i] for i in batch] for (plan,) in rows for batch in json.loads(plan)]
        except (TypeError, ValueError, IndexError) as error:
            self._stop_reading(error)
            return []

    def add_plan(self, inputs: Sequence[Ids], size: int, plan: Sequence[Sequence[Ids]]) -> None:
        """Store the batches that are planned for these inputs."""
        index = {ids: i for i, ids in enumerate(inputs)}
        row = self._plan_key(inputs, size), json.dumps([[index[ids] for ids in batch] for batch in plan])
        self._write(self._database.execute, "INSERT OR REPLACE INTO plans VALUES (?, ?)", row)

    def remove_plan(self, inputs: Sequence[Ids], size: int) -> None:
        """Forget the batches of a run that is complete."""
        self._write(self._database.execute, "DELETE FROM plans WHERE key = ?", [self._plan_key(inputs, size)])

    def _plan_key(self, inputs: Sequence[Ids], size: int) -> bytes:
        digest = hashlib.sha256(str(size).encode())
        for ids in inputs:
            digest.update(self.key(ids))
        return digest.digest()


@contextmanager
def open_cache(runtime: Runtime, identity: str) -> Iterator[ResultCache | None]:
    """The cache of a network in the folder of a runtime; None if there is no folder, or it cannot be used."""
    with ResultCache.open(runtime.cache, identity, runtime.warn) as cache:
        yield cache
