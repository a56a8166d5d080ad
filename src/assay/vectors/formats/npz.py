"""numpy's `.npz`: an array of words and a matrix with a row for each, under any names."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.vectors.formats import BLOCK, Rows, VectorFile, VectorFormat, vector_format

__all__ = ["Npz"]

_EXPECTED = 'write it with numpy.savez("NAME.npz", words=…, vectors=…): words as text, and a row of numbers for each'


@vector_format("npz")
@dataclass(frozen=True)
class Npz(VectorFormat):
    """Recognised as a zip archive."""

    label = "numpy .npz"

    def recognises(self, head: bytes) -> bool:
        return head.startswith(b"PK\x03\x04")

    def read(self, path: Path) -> VectorFile:
        arrays = _arrays(path)
        words = [array for array in arrays if array.ndim == 1 and array.dtype.kind in "SU"]
        matrices = [array for array in arrays if array.ndim == 2 and array.dtype.kind in "fiu"]
        if len(words) != 1 or len(matrices) != 1:
            message = f"{len(words)} arrays of words and {len(matrices)} matrices instead of one each"
            raise InputError(message, path=str(path), hint=_EXPECTED)
        if len(words[0]) != len(matrices[0]):
            message = f"{len(words[0]):,} words, but {len(matrices[0]):,} vectors"
            raise InputError(message, path=str(path))
        return VectorFile(_rows(words[0], matrices[0], path.stat().st_size))


def _arrays(path: Path) -> list[npt.NDArray[Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return [array for array in archive.values() if isinstance(array, np.ndarray)]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be read: {error}", path=str(path), hint=_EXPECTED) from error


def _rows(words: npt.NDArray[Any], matrix: npt.NDArray[Any], size: int) -> Iterator[Rows]:
    for start in range(0, len(words), BLOCK):
        block = slice(start, start + BLOCK)
        encoded = [word if isinstance(word, bytes) else _encoded(word) for word in words[block].tolist()]
        with np.errstate(over="ignore"):  # infinity, which is noted
            vectors = matrix[block].astype(np.float32)
        yield Rows(encoded, vectors, size * min(start + BLOCK, len(words)) // len(words))


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
