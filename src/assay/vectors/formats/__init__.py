"""Formats of word vectors, one file each: how to recognise a file by its content, and how to read it in blocks.

To add a format, add a file here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from assay.errors import EmptyInputError, InputError
from assay.registry import Registry
from assay.vectors.ngrams import NgramTable
from assay.vectors.source_files import is_compressed, read_head

__all__ = ["BLOCK", "Rows", "VectorFile", "VectorFormat", "find_format", "recognised_format", "vector_format"]

BLOCK = 4096
"""How many rows a format reads at a time."""
_GIT_LFS = b"version https://git-lfs"


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file: words in UTF-8, and their vectors (word, dimension)."""

    words: list[bytes]
    matrix: npt.NDArray[np.float32]
    bytes_read: int
    """How much of the file has been read so far, for the progress bar."""


@dataclass(frozen=True, slots=True)
class VectorFile:
    """All rows of a file, in order, and the vectors of n-grams, if it has any."""

    rows: Iterator[Rows]
    ngrams: NgramTable | None = None


class VectorFormat(ABC):
    """A way to write word vectors down. Subclass it as a frozen dataclass and register it."""

    name: ClassVar[str]
    label: ClassVar[str]
    """What the format is called in print."""
    reads_compressed: ClassVar[bool] = False
    """Whether a file may be compressed with gzip."""

    @abstractmethod
    def recognises(self, head: bytes) -> bool:
        """Whether a file that starts like this has the format. At most one format says yes."""

    def check(self, path: Path) -> None:  # noqa: B027  # most formats have nothing to look at
        """Raise an `InputError` if a look at the parts of a file, without its vectors, shows that it cannot be read."""

    @abstractmethod
    def read(self, path: Path) -> VectorFile:
        """What a file holds. All flaws are `InputError`s, at the latest while the rows are read."""


vector_format: Registry[VectorFormat] = Registry("vector format", __name__)


def find_format(path: Path) -> VectorFormat:
    """The format of a file."""
    found = recognised_format(path)
    if found is None:
        raise _unrecognised(path)
    if is_compressed(path) and not found.reads_compressed:
        raise InputError(f"{found.label} in gzip cannot be read", path=str(path), hint="unpack it first: gunzip FILE")
    return found


def recognised_format(path: Path) -> VectorFormat | None:
    """The format of a file, None if it has no format of word vectors."""
    head = read_head(path)
    formats = (vector_format.create(name) for name in vector_format.names())
    return next((candidate for candidate in formats if candidate.recognises(head)), None)


def _unrecognised(path: Path) -> InputError:
    head = read_head(path)
    if not head:
        return EmptyInputError("the file is empty", path=str(path))
    if head.startswith(_GIT_LFS):
        return InputError("a pointer of Git LFS instead of the file itself", path=str(path), hint="git lfs pull")
    labels = ", ".join(vector_format.create(name).label for name in vector_format.names())
    return InputError("unrecognised format of word vectors", path=str(path), hint=f"recognised: {labels}")
