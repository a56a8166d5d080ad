"""Text from files: UTF-8, optionally gzip-compressed (`.gz`).

A line ends at LF and nowhere else: U+2028, U+0085 and a lone CR are content. CR before LF is dropped and counted, a
byte order mark is dropped and noted. What is not text is refused, with its place and what to do about it.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from assay.errors import DecodeError, InputError, printable

__all__ = ["digest_of", "digest_of_bytes", "read_bytes", "read_lines", "read_text", "shown_path", "without_mark"]

_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",  # before UTF-16, whose mark it begins with
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_NO_TEXT = {
    _GZIP: ("gzip-compressed data", "gunzip"),
    b"\xfd7zXZ\x00": ("xz-compressed data", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd-compressed data", "unzstd"),
    b"BZh": ("bzip2-compressed data", "bunzip2"),
    b"PK\x03\x04": ("a zip archive or an office document", None),
    b"%PDF": ("a PDF", None),
}
_SAMPLE_BYTES = 4096
_CHUNK = 1 << 13  # what follows the end of a compressed stream is copied: many short streams must not take for ever
_PIECE = 1 << 20
_MAX_RATIO = 200  # bytes out for each byte in, …
_FREE_BYTES = 64 << 20  # … beyond this many
_PADDING = re.compile(rb"\0*")
_DELETE_NULS = r"tr -d '\000'"


def read_text(path: str | Path, *, keep_mark: bool = False) -> tuple[str, list[str]]:
    """The text of a file (`-`: standard input), and notes on what was changed in reading.

    A byte order mark is dropped and noted, or kept as the content it was taken for when scores were computed with it.
    """
    name, notes = str(path), []
    raw = read_bytes(name)
    if raw.startswith(_MARK):
        raw = raw if keep_mark else raw[len(_MARK) :]
        notes.append(_mark_note(name, "kept" if keep_mark else "dropped"))
    try:
        return _decoded(raw, name), notes
    except MemoryError:
        raise _too_large(name) from None


def read_lines(path: str | Path, *, keep_mark: bool = False) -> tuple[tuple[str, ...], list[str]]:
    """The lines of a file, and notes on what was changed in reading."""
    text, notes = read_text(path, keep_mark=keep_mark)
    try:
        lines = text.split("\n")
    except MemoryError:
        raise _too_large(str(path)) from None
    if lines[-1] == "":
        lines.pop()
    returns = sum(line.endswith("\r") for line in lines) if "\r" in text else 0
    if returns:
        lines = [line.removesuffix("\r") for line in lines]
        notes.append(_returns_note(path, returns, len(lines)))
    return tuple(lines), notes


def without_mark(raw: bytes, path: str | Path) -> tuple[bytes, list[str]]:
    """Bytes that are cut at any white space, without a mark; and the notes `read_lines` would have on them."""
    notes = [_mark_note(path, "dropped")] if raw.startswith(_MARK) else []
    if returns := raw.count(b"\r\n"):
        notes.append(_returns_note(path, returns, raw.count(b"\n") + (not raw.endswith(b"\n"))))
    return raw.removeprefix(_MARK), notes


def _mark_note(path: str | Path, verb: str) -> str:
    return f"{shown_path(path)}: a byte order mark was {verb}"


def _returns_note(path: str | Path, returns: int, lines: int) -> str:
    return f"{shown_path(path)}: carriage returns were dropped at the end of {returns:,} of {lines:,} lines"


def digest_of(path: str | Path) -> str:
    """A digest of a file's bytes, decompressed."""
    return digest_of_bytes(read_bytes(path))


def digest_of_bytes(data: bytes) -> str:
    """The digest that signatures and saved runs name files by."""
    import hashlib  # slow to import, and rarely needed

    return hashlib.blake2b(data, digest_size=16).hexdigest()


def shown_path(path: str | Path) -> str:
    """What to call a file in a message."""
    return "standard input" if str(path) == "-" else printable(str(path))


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file, decompressed if its name ends in .gz."""
    name = str(path)
    try:
        raw = _raw_bytes(name)
        return _decompressed(raw, name) if name.endswith(".gz") and raw else raw
    except MemoryError:
        raise _too_large(name) from None


def _raw_bytes(name: str) -> bytes:
    if not name:
        raise InputError("the name of a file is empty", hint="write NAME=FILE, or just FILE")
    if name == "-" and sys.stdin is None:
        raise InputError("closed, so nothing can be read from it", path=shown_path(name), hint="name a file instead")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(reason.lower(), path=shown_path(name), hint=_access_hint(error, name)) from error


def _too_large(name: str) -> InputError:
    hint = "score it in parts, or on another machine"
    return InputError("too large for the memory there is", path=shown_path(name), hint=hint)


def _access_hint(error: Exception, name: str) -> str | None:
    if isinstance(error, IsADirectoryError):
        return f"name the files in it: {shlex.quote(printable(name.rstrip('/')))}/*"
    if isinstance(error, PermissionError):
        return f"ask its owner, or look at: ls -l {shlex.quote(printable(name))}"
    return None


def _decompressed(raw: bytes, name: str) -> bytes:
    import zlib

    if not raw.startswith(_GZIP):
        raise InputError(
            "not gzip-compressed, though its name ends in .gz", path=shown_path(name), hint="rename it without .gz"
        )
    pieces, size, limit = [], 0, max(_FREE_BYTES, _MAX_RATIO * len(raw))
    try:
        for piece in _inflated(raw):
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                what = f"more than {_MAX_RATIO} bytes come out of it for each byte in it"
                hint = "if you trust it, unpack it yourself: " + _through("gunzip -c", name)
                raise InputError(what, path=shown_path(name), hint=hint)
        return b"".join(pieces)
    except EOFError:
        why, hint = "the compressed data ends too early", "the file was cut off; copy or download it again"
    except zlib.error as error:
        why = str(error) if str(error) == _TRAILING else "the compressed data is damaged"
        hint = "copy or download it again, or see what gunzip makes of it"
    raise InputError(f"not a complete gzip file: {why}", path=shown_path(name), hint=hint)


_TRAILING = "something else follows the compressed data"


def _inflated(raw: bytes) -> Iterator[bytes]:
    """What comes out of one compressed stream after the other, in pieces of bounded size."""
    import zlib

    place = 0
    while place < len(raw):
        if not raw.startswith(_GZIP, place):
            raise zlib.error(_TRAILING)
        engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while not engine.eof:
            given = raw[place : place + _CHUNK]
            piece = engine.decompress(given, _PIECE)
            place += len(given) - len(engine.unused_data if engine.eof else engine.unconsumed_tail)
            if piece:
                yield piece
            elif not given and not engine.eof:
                raise EOFError
        padding = _PADDING.match(raw, place)  # tapes are filled up with zeros
        place = padding.end() if padding else place


def _decoded(raw: bytes, name: str) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _other_content(raw, name) or _bad_byte(raw, error, name) from None
    if "\0" in text:
        raise _other_content(raw, name) or _nul(raw, name)
    return text


def _other_content(raw: bytes, name: str) -> DecodeError | None:
    """The error for content that is recognised as something other than UTF-8 text."""
    for start, (what, unpacker) in _NO_TEXT.items():
        if raw.startswith(start):
            hint = "save it as plain text, one segment a line"
            if unpacker is not None:
                hint = f"unpack it: {_through(f'{unpacker} -c', name)}"
            if start == _GZIP and name != "-" and not name.endswith(".gz"):
                hint = f"give it a name that ends in .gz, or {hint}"
            return DecodeError(f"this looks like {what}, not text", path=shown_path(name), hint=hint)
    encoding = _wide_encoding(raw)
    if encoding is None:
        return None
    hint = f"convert it: {_through(f'iconv -f {encoding} -t UTF-8', name)}"
    return DecodeError(f"this looks like {encoding}, not UTF-8", path=shown_path(name), hint=hint)


def _wide_encoding(raw: bytes) -> str | None:
    """UTF-16 or UTF-32, by byte order mark, else by where NUL bytes stand."""
    for mark, encoding in _WIDE_MARKS.items():
        if raw.startswith(mark):
            return encoding
    sample = raw[:_SAMPLE_BYTES]
    if sample.count(0) < 2:
        return None
    nuls = [sample[k::4].count(0) / max(len(sample[k::4]), 1) for k in range(4)]
    if min(nuls[2:]) > 0.9 > nuls[0]:
        return "UTF-32LE"
    if min(nuls[:2]) > 0.9 > nuls[3]:
        return "UTF-32BE"
    for encoding, empty, full in (("UTF-16LE", nuls[1::2], nuls[0::2]), ("UTF-16BE", nuls[0::2], nuls[1::2])):
        if max(empty) > 0.05 and not any(full):  # in Cyrillic, only spaces and line ends have a NUL
            return encoding
    return None


def _bad_byte(raw: bytes, error: UnicodeDecodeError, name: str) -> DecodeError:
    line, column = _place(raw, error.start)
    what = f"byte {column:,} of the line (0x{raw[error.start]:02X}) is not UTF-8"
    hint = f"if it is Latin-1, convert it: {_through('iconv -f ISO-8859-1 -t UTF-8', name)}"
    if error.reason == "unexpected end of data":
        what += ": the file ends in the middle of a character"
        hint = "the file was cut off; copy or download it again"
    elif raw[error.start] == 0xED and raw[error.start + 1] >= 0xA0:
        what += ": it begins one half of a surrogate pair"
        hint = "the program that wrote it took UTF-16 for UTF-8 (CESU-8); write it anew as UTF-8"
    return DecodeError(what, path=shown_path(name), line=line, hint=hint)


def _nul(raw: bytes, name: str) -> DecodeError:
    line, column = _place(raw, raw.index(0))
    return DecodeError(
        f"byte {column:,} of the line is NUL, which no text contains; there are {raw.count(0):,} in the file",
        path=shown_path(name),
        line=line,
        hint=f"copy the file again if it is damaged, or delete them: {_through(_DELETE_NULS, name)}",
    )


def _place(raw: bytes, position: int) -> tuple[int, int]:
    """Line and byte of the line, from 1."""
    return raw.count(b"\n", 0, position) + 1, position - raw.rfind(b"\n", 0, position)


def _through(command: str, name: str) -> str:
    """A command line that sends a file through a command."""
    if name == "-":
        return f"… | {command} | assay …"
    return f"{command} < {shlex.quote(printable(name))} > NEW-FILE"
