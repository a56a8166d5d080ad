"""Files of word vectors as streams of bytes: opened with or without gzip, and complete or an error."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.errors import InputError

__all__ = ["Source", "is_compressed", "opened", "opened_plain", "read_head"]

_GZIP = b"\x1f\x8b"
_HEAD = 1 << 16
_BUFFER = 1 << 20


class Source:
    """An opened file. `position` counts bytes on disk, which are fewer than those read if they are compressed."""

    def __init__(self, path: Path, raw: IO[bytes]) -> None:
        self.path = path
        self._raw = raw
        self.is_compressed = raw.read(2) == _GZIP
        raw.seek(0)
        self._stream = gzip.GzipFile(fileobj=raw) if self.is_compressed else raw

    @property
    def position(self) -> int:
        """How many bytes of the file on disk have been read."""
        return self._raw.tell()

    def read_some(self, size: int = _BUFFER) -> bytes:
        """The next bytes, at most `size`; none at the end."""
        return self._stream.read(size)

    def lines(self) -> Iterator[bytes]:
        """The lines, which end at LF only, without their ends."""
        rest = b""
        while block := self.read_some():
            *lines, rest = (rest + block).split(b"\n")
            yield from lines
        if rest:
            yield rest


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """Open a file for reading, unpacked. What cannot be read is an `InputError`."""
    try:
        with opened_plain(path) as raw:
            yield Source(path, raw)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        hint = "was it downloaded completely? compare its size with the original"
        raise InputError(f"damaged gzip file: {error}", path=str(path), hint=hint) from error


@contextmanager
def opened_plain(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading as it is. What cannot be read is an `InputError`."""
    try:
        with path.open("rb") as raw:
            yield raw
    except gzip.BadGzipFile:  # an OSError, too
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=str(path)) from error


def is_compressed(path: Path) -> bool:
    """Whether a file is compressed with gzip."""
    with opened(path) as file:
        return file.is_compressed


def read_head(path: Path) -> bytes:
    """The first bytes of a file, unpacked."""
    with opened(path) as file:
        return file.read_some(_HEAD)
