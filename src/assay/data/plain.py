"""Plain text: one segment a line, UTF-8, optionally gzip-compressed (`.gz`).

A line ends at LF and nowhere else: U+2028, U+0085 and a lone CR are content. CR before LF is dropped and counted, a
byte order mark is dropped and noted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.errors import DecodeError, InputError

__all__ = ["read_column"]


def read_column(path: str | Path) -> tuple[tuple[str, ...], list[str]]:
    """The lines of a file (`-`: standard input), and notes on what was changed in reading."""
    name, notes = str(path), []
    raw = _read_bytes(name)
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
        notes.append(f"{name}: a byte order mark was dropped")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        raise DecodeError(
            f"byte {column} of the line (0x{raw[error.start]:02X}) is not UTF-8",
            path=name,
            line=line,
            hint="convert the file, e.g. iconv -f ISO-8859-1 -t UTF-8",
        ) from None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    returns = sum(line.endswith("\r") for line in lines) if "\r" in text else 0
    if returns:
        lines = [line.removesuffix("\r") for line in lines]
        notes.append(f"{name}: carriage returns were dropped at the end of {returns:,} of {len(lines):,} lines")
    return tuple(lines), notes


def _read_bytes(name: str) -> bytes:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), path=name) from error
    return _decompressed(raw, name) if name.endswith(".gz") else raw


def _decompressed(raw: bytes, name: str) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"not a complete gzip file: {error}", path=name) from error
