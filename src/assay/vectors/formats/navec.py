"""natasha's navec: a tar of words (`vocab.bin`) and of vectors in product quantisation (`pq.bin`).

A vector is cut into `qdim` parts, and each part is one of `centroids` (256) that are stored once.

    vocab.bin   gzip of: uint32 count; count × uint32 frequency; the words, separated by LF
    pq.bin      uint32 vectors, dim, qdim, centroids; vectors × qdim × uint8; qdim × centroids × (dim / qdim) × float32
"""

from __future__ import annotations

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types.note import plural
from assay.vectors.formats import BLOCK, Rows, VectorFile, VectorFormat, vector_format

__all__ = ["Navec"]

_TAR = slice(257, 262)


@vector_format("navec")
@dataclass(frozen=True)
class Navec(VectorFormat):
    """Recognised as a tar archive that starts with its description."""

    label = "navec .tar"

    def recognises(self, head: bytes) -> bool:
        return head[_TAR] == b"ustar" and head.startswith(b"meta.json\0")

    def read(self, path: Path) -> VectorFile:
        words, pq = _members(path)
        count, dimension, parts, centroids = np.frombuffer(pq, "<u4", 4).tolist()
        length = 16 + count * parts + 4 * centroids * dimension
        if len(words) != count or len(pq) != length or not parts or dimension % parts:
            message = f"{plural(len(words), 'word')}, and {len(pq):,} bytes of vectors instead of {length:,}"
            raise InputError(message, path=str(path), hint="is the file cut off?")
        codes = np.frombuffer(pq, np.uint8, count * parts, 16).reshape(count, parts)
        values = np.frombuffer(pq, "<f4", centroids * dimension, 16 + count * parts).reshape(parts, centroids, -1)
        if codes.max(initial=0) >= centroids:
            raise InputError("a part of a vector is missing", path=str(path))
        return VectorFile(_rows(words, codes, values, path.stat().st_size))


def _members(path: Path) -> tuple[list[bytes], bytes]:
    """The words, and the file of vectors."""
    try:
        with tarfile.open(path, "r:") as archive:
            vocabulary, vectors = (_member(archive, name, path) for name in ("vocab.bin", "pq.bin"))
        content = gzip.decompress(vocabulary)
        count = int.from_bytes(content[:4], "little")
        return content[4 + 4 * count :].split(b"\n"), vectors.ljust(16, b"\0")
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise InputError(f"cannot be read: {error}", path=str(path), hint="is the file cut off?") from error


def _member(archive: tarfile.TarFile, name: str, path: Path) -> bytes:
    try:
        member = archive.extractfile(name)
    except KeyError:
        member = None
    if member is None:
        raise InputError(f"there is no {name} in it", path=str(path), hint="is the file cut off?")
    return member.read()


def _rows(
    words: list[bytes], codes: npt.NDArray[np.uint8], values: npt.NDArray[np.float32], size: int
) -> Iterator[Rows]:
    parts = np.arange(codes.shape[1])
    for start in range(0, len(words), BLOCK):
        block = codes[start : start + BLOCK]
        vectors = values[parts, block].reshape(len(block), -1)
        yield Rows(words[start : start + BLOCK], vectors, size * min(start + BLOCK, len(words)) // len(words))
