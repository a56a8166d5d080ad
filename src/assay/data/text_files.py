"""Text from files: UTF-8, optionally gzip-compressed (`.gz`).

A line ends at LF and nowhere else: U+2028, U+0085 and a lone CR are content. CR before LF is removed and counted; a
byte order mark is removed and noted. Anything that is not text is refused, with its position and advice.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from assay import _core
from assay.errors import DecodeError, InputError, option_name, printable
from assay.types.column import Column
from assay.types.note import Note, NoteKind, plural

__all__ = [
    "digest_of",
    "digest_of_bytes",
    "explaining_cut_off_files",
    "is_cut_off",
    "is_pipe",
    "read_bytes",
    "read_column",
    "read_lines",
    "read_text",
    "reading_once",
    "shown_path",
    "without_mark",
]

_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",  # before UTF-16, whose mark it begins with
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_BINARY_CONTENT = {
    _GZIP: ("gzip-compressed data", "gunzip"),
    b"\xfd7zXZ\x00": ("xz-compressed data", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd-compressed data", "unzstd"),
    b"BZh": ("bzip2-compressed data", "bunzip2"),
    _ZIP: ("a zip archive", None),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook or Word document", None),
    b"%PDF": ("a PDF", None),
    b"\x89PNG": ("a PNG image", None),
    b"\xff\xd8\xff": ("a JPEG image", None),
    b"GIF8": ("a GIF image", None),
    b"PAR1": ("a Parquet file", None),
    b"\x93NUMPY": ("a NumPy array", None),
    b"SQLite format 3": ("an SQLite database", None),
    b"\x7fELF": ("a program", None),
    **{bytes((0x80, protocol)): ("a Python pickle", None) for protocol in range(2, 6)},
}
_OFFICE_CONTENT = {b"word/": "a Word document", b"xl/": "an Excel workbook", b"ppt/": "a presentation"}
_TABLES = (_ZIP, b"\xd0\xcf\x11\xe0", b"PAR1")  # or archives with tables
_BINARY_SHARE = 0.05  # of control characters, which texts do not have
_CONTROLS = bytes((*range(1, 9), *range(14, 27), *range(28, 32)))
_LARGE_FILE = 1 << 26  # bytes; smaller files are read at once, so that nothing depends on them afterwards
_READ_BYTES = 1 << 24  # of a large file at once
_SAMPLE_BYTES = 4096
_INPUT_CHUNK = 1 << 13  # the bytes after a compressed stream are copied, so many short streams must stay cheap
_OUTPUT_CHUNK = 1 << 20
_MAX_RATIO = 200  # unpacked bytes per byte of the file, …
_FREE_BYTES = 64 << 20  # … beyond this many bytes
_SEPARATORS = b"\n\t, <"  # of lines, fields, items and elements, which take far more memory than a byte each
_MAX_SEPARATORS = 20  # per byte of the file, …
_FREE_SEPARATORS = 5_000_000  # … beyond this many
_PADDING = re.compile(rb"\0*")
_DELETE_NULS = r"tr -d '\000'"


def read_text(path: str | Path, *, keep_mark: bool = False) -> tuple[str, list[Note]]:
    """The text of a file (`-` is standard input), and notes on what was changed while reading.

    A byte order mark is removed and noted; with `keep_mark` it stays in the text as its first character.
    """
    name, notes = str(path), []
    raw = read_bytes(name)
    if raw.startswith(_MARK) and not keep_mark:
        raw = raw[len(_MARK) :]
        notes.append(_mark_note(name))
    try:
        return _decoded(raw, name), notes
    except MemoryError:
        raise _too_large(name) from None


def read_lines(path: str | Path, *, keep_mark: bool = False) -> tuple[tuple[str, ...], list[Note]]:
    """The lines of a file, and notes on what was changed while reading."""
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
        if not str(path).lower().removesuffix(".gz").endswith(".csv"):  # whose standard, RFC 4180, wants them
            notes.append(_returns_note(path, returns, len(lines)))
    return tuple(lines), notes


def read_column(path: str | Path, *, keep_mark: bool = False) -> tuple[Column, list[Note]]:
    """The lines of a file as `read_lines` gives them, but without making a Python string of each.

    A large file is read once to find its lines, and again wherever they are used, so that it takes little memory.
    """
    name = str(path)
    file = _LargeFile.open(name)
    raw = read_bytes(name) if file is None else file.start(len(_MARK))
    has_mark = raw.startswith(_MARK) and not keep_mark
    first = len(_MARK) if has_mark else 0
    try:
        found = _core.read_lines(raw, first) if file is None else _core.read_file_lines(file.read, first, file.size)
    except MemoryError:
        raise _too_large(name) from None
    if found is None:  # not text: the error says why
        _decoded((raw if file is None else read_bytes(name))[first:], name)
        raise _changed(name)
    column, returns = found
    notes = [_mark_note(name)] if has_mark else []
    return column, [*notes, *([_returns_note(path, returns, len(column))] if returns else [])]


class _LargeFile:
    """A large regular file that is read in pieces, and must stay as it was when it was opened.

    It is not mapped into memory: the system kills a process that reads a mapped file where it was cut off.
    """

    def __init__(self, name: str) -> None:
        import weakref  # slow to import, and rarely needed

        self._name, self._descriptor = name, os.open(name, os.O_RDONLY)
        weakref.finalize(self, os.close, self._descriptor)
        self._state = self._current_state()

    @classmethod
    def open(cls, name: str) -> _LargeFile | None:
        """None for all other files, and for those that cannot be opened: `read_bytes` says why."""
        try:
            status = os.stat(name)
            if name == "-" or name.endswith(".gz") or not stat.S_ISREG(status.st_mode) or status.st_size < _LARGE_FILE:
                return None
            return cls(name)
        except (OSError, ValueError):
            return None

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self._state[0]

    def start(self, size: int) -> bytes:
        """The first bytes."""
        return self.read(0, min(size, self.size))

    def read(self, first: int, size: int) -> bytes:
        """So many bytes from `first` on, or fewer: at least one."""
        try:
            piece = os.pread(self._descriptor, min(size, _READ_BYTES), first)
        except OSError as error:
            raise _unreadable(error, self._name) from error
        if (size and not piece) or self._current_state() != self._state:
            raise _changed(self._name)
        return piece

    def _current_state(self) -> tuple[int, int]:
        """Not with the time of change: it also changes when another file takes the name of this one."""
        status = os.fstat(self._descriptor)
        return status.st_size, status.st_mtime_ns


def without_mark(raw: bytes, path: str | Path) -> tuple[bytes, list[Note]]:
    """Bytes without a byte order mark, and the notes `read_lines` would make; for callers that split at white space."""
    notes = [_mark_note(path)] if raw.startswith(_MARK) else []
    if returns := raw.count(b"\r\n"):
        notes.append(_returns_note(path, returns, raw.count(b"\n") + (not raw.endswith(b"\n"))))
    return raw.removeprefix(_MARK), notes


def _mark_note(path: str | Path) -> Note:
    return Note(NoteKind.CHANGED, "removed a byte order mark", shown_path(path), 1)


def _returns_note(path: str | Path, returns: int, lines: int) -> Note:
    text = f"removed carriage returns at the end of {returns:,} of {plural(lines, 'line')}"
    return Note(NoteKind.CHANGED, text, shown_path(path), returns)


def digest_of(path: str | Path) -> str:
    """A digest of a file's bytes, decompressed."""
    return digest_of_bytes(read_bytes(path))


def digest_of_bytes(data: bytes) -> str:
    """The digest that identifies a file in signatures and saved results."""
    import hashlib  # slow to import, and rarely needed

    return hashlib.blake2b(data, digest_size=16).hexdigest()


def shown_path(path: str | Path) -> str:
    """A path as messages show it."""
    return "standard input" if str(path) == "-" else printable(str(path))


def is_pipe(path: str | Path) -> bool:
    """Whether this is standard input (`-`) or a pipe, such as `<(…)` of a shell: it has no name to go by."""
    if str(path) == "-":
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@dataclass(slots=True)
class _Contents:
    """The contents of all pipes, and of the latest regular file, by what identifies them."""

    pipes: dict[tuple[object, ...], bytes] = field(default_factory=dict)
    latest: dict[tuple[object, ...], bytes] = field(default_factory=dict)


_contents: ContextVar[_Contents | None] = ContextVar("contents", default=None)


@contextmanager
def reading_once() -> Iterator[None]:
    """Within it, a file can be read again without opening it: to detect its format, parse it and compute a digest.

    The content of every pipe is kept, because nothing else could give it again, and that of the latest regular file.
    """
    if _contents.get() is not None:
        yield
        return
    token = _contents.set(_Contents())
    try:
        yield
    finally:
        _contents.reset(token)


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file, decompressed if its name ends in .gz."""
    name, contents = str(path), _contents.get()
    if contents is None:
        return _read_bytes(name)
    known, key = contents.pipes if is_pipe(name) else contents.latest, _identity(name)
    if key not in known:
        content = _read_bytes(name)
        contents.latest.clear()
        known[key] = content
    return known[key]


@contextmanager
def explaining_cut_off_files() -> Iterator[None]:
    """Add to an error in the last line of a file that the file may be incomplete."""
    try:
        yield
    except InputError as error:
        if error.path is not None and error.line is not None and is_cut_off(error.path, error.line):
            error.hint = "; ".join(filter(None, (error.hint, "no line end follows: was the file cut off?")))
        raise


def is_cut_off(path: str, line: int) -> bool:
    """Whether this is the last line of a file, without an end. `path` is as messages show it.

    A file of one line is not: programs often write a single line without an end.
    """
    name = "-" if path == shown_path("-") else path
    try:
        raw = read_bytes(name) if _contents.get() is not None or not is_pipe(name) else b""
    except InputError:
        return False
    return not raw.endswith(b"\n") and 1 < line == raw.count(b"\n") + 1


def _identity(name: str) -> tuple[object, ...]:
    """What identifies the content of a file or pipe."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):  # standard input, or no file
        return (name,)
    if stat.S_ISREG(status.st_mode):
        return name, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    return status.st_dev, status.st_ino


def _read_bytes(name: str) -> bytes:
    try:
        raw = _raw_bytes(name)
        return _decompressed(raw, name) if name.endswith(".gz") and raw else raw
    except MemoryError:
        raise _too_large(name) from None


def _raw_bytes(name: str) -> bytes:
    if not name:
        raise InputError("empty file name", hint="write NAME=FILE, or just FILE")
    if name == "-" and sys.stdin is None:
        raise InputError("closed", path=shown_path(name), hint="give a file instead")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _unreadable(error, name) from error


def _unreadable(error: Exception, name: str) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(reason.lower(), path=shown_path(name), hint=_access_hint(error, name))


def _changed(name: str) -> InputError:
    hint = "wait until the program that writes it has finished, and start again"
    return InputError("the file changed while it was read", path=shown_path(name), hint=hint)


def _too_large(name: str) -> InputError:
    hint = "score it in parts, or on a machine with more memory"
    return InputError("too large for the available memory", path=shown_path(name), hint=hint)


def _access_hint(error: Exception, name: str) -> str | None:
    if isinstance(error, IsADirectoryError):
        return f"give the files in the folder: {shlex.quote(printable(name.rstrip('/')))}/*"
    if isinstance(error, PermissionError):
        return f"check its permissions: ls -l {shlex.quote(printable(name))}"
    return None


def _decompressed(raw: bytes, name: str) -> bytes:
    import zlib

    if not raw.startswith(_GZIP):
        raise InputError(
            "not gzip-compressed, although its name ends in .gz", path=shown_path(name), hint="rename it without .gz"
        )
    chunks, limits = [], _Limits(len(raw))
    try:
        for chunk in _inflated(raw):
            chunks.append(chunk)
            if (message := limits.exceeded(chunk)) is not None:
                hint = "if you trust the file, unpack it yourself: " + _through("gunzip -c", name)
                raise InputError(message, path=shown_path(name), hint=hint)
        return b"".join(chunks)
    except EOFError:
        reason, hint = "the compressed data is truncated", "copy or download it again"
    except _TrailingDataError:
        reason, hint = "unexpected data after its end", "copy or download it again, or inspect it with gunzip"
    except zlib.error:
        reason, hint = "the compressed data is corrupt", "copy or download it again, or inspect it with gunzip"
    raise InputError(f"not a complete gzip file: {reason}", path=shown_path(name), hint=hint)


class _Limits:
    """How many bytes, and how many lines and fields, a compressed file of some size may unpack to."""

    def __init__(self, packed: int) -> None:
        self._size = self._separators = 0
        self._max_size = max(_FREE_BYTES, _MAX_RATIO * packed)
        self._max_separators = max(_FREE_SEPARATORS, _MAX_SEPARATORS * packed)

    def exceeded(self, chunk: bytes) -> str | None:
        """Count one more chunk; a message if there is too much of something."""
        self._size += len(chunk)
        self._separators += len(chunk) - len(chunk.translate(None, _SEPARATORS))
        if self._size > self._max_size:
            return f"it unpacks to more than {_MAX_RATIO} times its size"
        if self._separators > self._max_separators:
            return f"it unpacks to more than {self._max_separators:,} lines, fields or words, too many for its size"
        return None


class _TrailingDataError(Exception):
    """Something else follows the compressed data."""


def _inflated(raw: bytes) -> Iterator[bytes]:
    """The data of consecutive compressed streams, in chunks of limited size."""
    import zlib

    position = 0
    while position < len(raw):
        if not raw.startswith(_GZIP, position):
            raise _TrailingDataError
        engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while not engine.eof:
            packed = raw[position : position + _INPUT_CHUNK]
            chunk = engine.decompress(packed, _OUTPUT_CHUNK)
            position += len(packed) - len(engine.unused_data if engine.eof else engine.unconsumed_tail)
            if chunk:
                yield chunk
            elif not packed and not engine.eof:
                raise EOFError
        padding = _PADDING.match(raw, position)  # tapes are padded with zeros
        position = padding.end() if padding else position


def _decoded(raw: bytes, name: str) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _other_content(raw, name) or _bad_byte(raw, error, name) from None
    if "\0" in text:
        raise _other_content(raw, name) or _nul(raw, name)
    return text


def _other_content(raw: bytes, name: str) -> DecodeError | None:
    """The error for content recognised as something other than UTF-8 text."""
    start = next(filter(raw.startswith, _BINARY_CONTENT), None)
    if start is not None:
        return _known_content(raw, start, name)
    encoding = _wide_encoding(raw)
    if encoding is not None:
        hint = f"convert it: {_through(f'iconv -f {encoding} -t UTF-8', name)}"
        return DecodeError(f"looks like {encoding}, not UTF-8", path=shown_path(name), hint=hint)
    sample = raw[:_SAMPLE_BYTES]
    if len(sample) - len(sample.translate(None, _CONTROLS)) > _BINARY_SHARE * len(sample):
        hint = "give a plain text file, one segment per line"
        return DecodeError("looks like binary data, not text", path=shown_path(name), hint=hint)
    return None


def _known_content(raw: bytes, start: bytes, name: str) -> DecodeError:
    """The error for content that is recognised by its start."""
    description, unpacker = _BINARY_CONTENT[start]
    if start == _ZIP:
        description = next((kind for part, kind in _OFFICE_CONTENT.items() if part in raw), description)
    hint = "save it as plain text, one segment per line"
    if start in _TABLES:
        hint += f"; a table (.csv, .xlsx) is data, not a text: {option_name('data', 'FILE.xlsx')}"
    if unpacker is not None:
        hint = f"unpack it: {_through(f'{unpacker} -c', name)}"
    if start == _GZIP and name != "-" and not name.endswith(".gz"):
        hint = f"rename it to end in .gz, or {hint}"
    return DecodeError(f"looks like {description}, not text", path=shown_path(name), hint=hint)


def _wide_encoding(raw: bytes) -> str | None:
    """UTF-16 or UTF-32, by byte order mark or by the positions of NUL bytes."""
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
        if max(empty) > 0.05 and not any(full):  # in Cyrillic, only spaces and line ends contain a NUL
            return encoding
    return None


def _bad_byte(raw: bytes, error: UnicodeDecodeError, name: str) -> DecodeError:
    line, column = _line_and_column(raw, error.start)
    message = f"byte {column:,} of the line (0x{raw[error.start]:02X}) is not UTF-8"
    hint = f"if it is Latin-1, convert it: {_through('iconv -f ISO-8859-1 -t UTF-8', name)}"
    if error.reason == "unexpected end of data":
        message += ": the file ends in the middle of a character"
        hint = "the file is truncated; copy or download it again"
    elif raw[error.start] == 0xED and raw[error.start + 1] >= 0xA0:
        message += ": it starts a lone surrogate"
        hint = "the file is in CESU-8, UTF-16 code units written as UTF-8; save it again as UTF-8"
    return DecodeError(message, path=shown_path(name), line=line, hint=hint)


def _nul(raw: bytes, name: str) -> DecodeError:
    line, column = _line_and_column(raw, raw.index(0))
    count = raw.count(0)
    return DecodeError(
        f"byte {column:,} of the line is NUL, which is not text (NUL bytes in the file: {count:,})",
        path=shown_path(name),
        line=line,
        hint=f"copy the file again if it is corrupt, or delete them: {_through(_DELETE_NULS, name)}",
    )


def _line_and_column(raw: bytes, position: int) -> tuple[int, int]:
    """Line, and byte of the line, both from 1."""
    return raw.count(b"\n", 0, position) + 1, position - raw.rfind(b"\n", 0, position)


def _through(command: str, name: str) -> str:
    """A command line that runs a file through a command."""
    if name == "-":
        return f"… | {command} | assay …"
    return f"{command} < {shlex.quote(printable(name))} > NEW-FILE"
