"""What lies in a tar or zip archive, member by member, by allow-list.

Only regular files and folders, with plain names, within limits: anything else ends the reading. The standard library
reads the headers; what they promise is checked against the bytes that come. Compressed tar is decompressed here:
`tarfile` reads on past a wrong sum, and does not look at what follows the end.
"""

from __future__ import annotations

import bz2
import copy
import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from struct import error as struct_error
from typing import Any, TypeAlias

from assay.data.bounds import BoundedFile, Budget, Damaged, Limits, Names, Unsafe
from assay.data.folder import Progress
from assay.errors import ArchiveError, FetchError, printable

__all__ = ["Member", "members"]

_CHUNK = 1 << 16
_BLOCK = 512  # of tar
_MAX_EXTENSION_BYTES = 1 << 16  # of a tar header that only extends the next one
_MAX_DIGITS = 19
_MAX_LZMA_BYTES = 1 << 28  # of memory; xz -9 needs 65 MiB
_PAX_RECORD = re.compile(rb"\d+ ([^=]+)=(.*)\n", re.DOTALL)
_TAR_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE)
_TAR_EXTENSIONS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME)
_TAR_OTHERS = {
    tarfile.LNKTYPE: "a hard link",
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
    tarfile.GNUTYPE_SPARSE: "a sparse file",
}
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZIP_UTF8, _ZIP_ENCRYPTED = 0x800, 0x2041
_ZIP_MEMBER, _ZIP_END = b"PK\x03\x04", b"PK\x05\x06"
_ZIP_HEADER_BYTES, _ZIP_END_BYTES = 30, 22
_ENGINES: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(zlib.MAX_WBITS | 16),
    b"\xfd7zXZ\x00": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_LZMA_BYTES),
    b"BZh": bz2.BZ2Decompressor,
}


@dataclass(frozen=True, slots=True)
class Member:
    """A file or folder in an archive; the data is whole if it could be read to its end without an error."""

    parts: tuple[str, ...]
    folder: bool
    data: Iterator[bytes]


def members(archive: Path, *, limits: Limits | None = None, progress: Progress | None = None) -> Iterator[Member]:
    """What an archive holds, in its order. The data of a member is read before the next one is asked for."""
    limits = limits or Limits()
    names = Names(limits)
    with _as_archive_error(archive), BoundedFile(io.FileIO(archive)) as file:
        budget = Budget(limits, file, f"unpacking {archive.name}", progress)
        for name, is_folder, size, data in _entries(archive, file, budget):
            pieces = _measured(name, size, data)
            yield Member(names.add(name, is_folder), is_folder, _guarded(archive, pieces))
            for _ in pieces:  # what the caller did not read
                pass


def _guarded(archive: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    with _as_archive_error(archive):
        yield from pieces


def _measured(name: str, expected: int, data: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in data:
        size += len(piece)
        yield piece
    if size != expected:
        raise Damaged(f"'{printable(name)}' has {size:,} bytes, not {expected:,} as its header says")


_Entry: TypeAlias = tuple[str, bool, int, Iterator[bytes]]
"""Name as it stands in the archive, whether it is a folder, size as its header says, data."""


def _entries(archive: Path, file: BoundedFile, budget: Budget) -> Iterator[_Entry]:
    start = file.read(_BLOCK)
    file.seek(0)
    if start.startswith((_ZIP_MEMBER, _ZIP_END)):
        return _zip_entries(file, budget)
    engine = next((magic for magic in _ENGINES if start.startswith(magic)), None)
    if engine is not None:
        pieces: Iterator[bytes] = _decompressed(file, engine)
    elif start[257:262] == b"ustar" or archive.name.removesuffix(".part").endswith(".tar"):
        pieces = iter(lambda: file.read(_CHUNK), b"")
    else:
        raise Damaged(f"this is not an archive{_what_it_looks_like(start)}")
    return _tar_entries(_Stream(budget.spend(piece) for piece in pieces))


def _what_it_looks_like(start: bytes) -> str:
    text = start.lstrip().lower()
    return ", but a web page" if text.startswith((b"<!doctype", b"<html")) else "" if start else ": it is empty"


def _decompressed(file: BoundedFile, magic: bytes) -> Iterator[bytes]:
    """One stream of compressed data after the other, with nothing else before, between or behind them."""
    rest = file.read(_CHUNK)
    while rest:
        if not rest.startswith(magic):
            raise Damaged("something else follows the compressed data")
        rest = yield from _one_stream(_ENGINES[magic](), rest, file)
        while not (rest := rest.lstrip(b"\0")) and (more := file.read(_CHUNK)):  # tapes are filled up with zeros
            rest = more
        rest += file.read(_CHUNK) if 0 < len(rest) < len(magic) else b""


def _one_stream(engine: Any, rest: bytes, file: BoundedFile) -> Generator[bytes, None, bytes]:
    """The data of one compressed stream, in pieces of bounded size; returns what was read beyond its end."""
    while not engine.eof:
        at_end = False
        if not rest and getattr(engine, "needs_input", True):
            rest = file.read(_CHUNK)
            at_end = not rest
        piece = engine.decompress(rest, _CHUNK)
        rest = getattr(engine, "unconsumed_tail", b"")  # zlib hands back what it did not need yet; others keep it
        if piece:
            yield piece
        elif at_end:
            raise Damaged("the compressed data ends too early")
    return bytes(engine.unused_data)


class _Stream:
    """Pieces of any size, as blocks of the size that is wanted."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._piece, self._at = pieces, b"", 0

    def some(self, size: int) -> bytes:
        """At least one byte and at most `size`; nothing at the end."""
        if self._at >= len(self._piece):
            self._piece, self._at = next(self._pieces, b""), 0
        found = self._piece[self._at : self._at + size]
        self._at += len(found)
        return found

    def pieces(self, size: int) -> Iterator[bytes]:
        """Exactly `size` bytes."""
        while size:
            piece = self.some(min(size, _CHUNK))
            if not piece:
                raise Damaged("the archive ends too early")
            size -= len(piece)
            yield piece

    def exactly(self, size: int) -> bytes:
        return b"".join(self.pieces(size))


def _tar_entries(stream: _Stream) -> Iterator[_Entry]:
    extension: dict[bytes, bytes] = {}
    while any(block := stream.exactly(_BLOCK)):
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        if header.size < 0 or block[:100].strip(b"\0").count(0):
            raise Unsafe(f"the header of '{printable(header.name)}' has a NUL in the name or a negative size")
        if header.type in _TAR_EXTENSIONS:
            extension |= _tar_extension(header, stream)
            continue
        name = extension[b"path"].decode() if b"path" in extension else header.name
        size = _size(extension[b"size"]) if b"size" in extension else header.size
        is_folder = header.type == tarfile.DIRTYPE
        if header.type not in _TAR_FILES and not is_folder:
            what = _TAR_OTHERS.get(header.type, f"of type {header.type!r}")
            raise Unsafe(f"'{printable(name)}' is {what}, neither a file nor a folder")
        yield name, is_folder, 0 if is_folder else size, stream.pieces(size)
        stream.exactly(-size % _BLOCK)
        extension = {}
    if extension:
        raise Damaged("a header extends one that does not come")
    while rest := stream.some(_CHUNK):
        if any(rest):
            raise Damaged("something follows the end of the archive")


def _tar_extension(header: tarfile.TarInfo, stream: _Stream) -> dict[bytes, bytes]:
    """What a header says about the next one."""
    if header.size > _MAX_EXTENSION_BYTES:
        raise Unsafe(f"a header has {header.size:,} bytes")
    data = stream.exactly(header.size)
    stream.exactly(-header.size % _BLOCK)
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {b"path": data.removesuffix(b"\0")}
    found = _pax_records(data)
    if any(key.startswith(b"GNU.sparse") for key in found):
        raise Unsafe("there is a sparse file in it")
    if header.type == tarfile.XHDTYPE:
        return found
    if found.keys() & {b"path", b"size", b"linkpath"}:
        raise Unsafe("a header gives one name or size to all files")
    return {}


def _pax_records(data: bytes) -> dict[bytes, bytes]:
    found = {}
    while data:
        size = _size(data.partition(b" ")[0])
        record = _PAX_RECORD.fullmatch(data[:size])
        if record is None or size > len(data):
            raise Damaged("an extended header cannot be read")
        found[record[1]] = record[2]
        data = data[size:]
    return found


def _size(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > _MAX_DIGITS:
        raise Damaged("an extended header cannot be read")
    return int(digits)


def _zip_entries(file: BoundedFile, budget: Budget) -> Iterator[_Entry]:
    with zipfile.ZipFile(file) as archive:
        _check_zip_layout(archive, file)
        for info in archive.infolist():
            _check_zip_entry(info)
            name = info.orig_filename
            yield name, name.endswith("/"), info.file_size, _zip_data(archive, info, budget)


def _check_zip_layout(archive: zipfile.ZipFile, file: BoundedFile) -> None:
    """Members lie one behind the other from the first byte on, and the table of contents closes the file."""
    file.seek(-_ZIP_END_BYTES - len(archive.comment), io.SEEK_END)
    if not file.read(_ZIP_END_BYTES).startswith(_ZIP_END):
        raise Damaged("something follows the end of the archive")
    infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    ends = [0, *(i.header_offset + _ZIP_HEADER_BYTES + len(i.orig_filename) + i.compress_size for i in infos)]
    starts = [*(info.header_offset for info in infos), archive.start_dir]
    if any(start < end for start, end in zip(starts, ends, strict=True)):
        raise Unsafe("its members overlap")
    if starts[0] != 0:
        raise Damaged("something precedes the archive")


def _check_zip_entry(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    kind = stat.S_IFMT(info.external_attr >> 16)
    flaws = {
        "is neither a file nor a folder": kind not in (0, stat.S_IFDIR if name.endswith("/") else stat.S_IFREG),
        "is encrypted": bool(info.flag_bits & _ZIP_ENCRYPTED),
        "is compressed in a way that is not read": info.compress_type not in _ZIP_METHODS,
        "has a name in an encoding that is not given": not (name.isascii() or info.flag_bits & _ZIP_UTF8),
    }
    for flaw, is_so in flaws.items():
        if is_so:
            raise Unsafe(f"'{printable(name)}' {flaw}")


def _zip_data(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Iterator[bytes]:
    patient = copy.copy(info)
    patient.file_size += 1  # so that data beyond the size given are seen rather than cut off
    with archive.open(patient) as data:
        while piece := data.read(_CHUNK):
            yield budget.spend(piece)


_DAMAGE = (
    *(Damaged, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct_error),
    *(EOFError, ValueError, NotImplementedError, OverflowError, RuntimeError),
)


@contextmanager
def _as_archive_error(archive: Path) -> Iterator[None]:
    try:
        yield
    except Unsafe as error:
        hint = "nothing was unpacked; if you trust it, unpack it with another program and look at it"
        raise ArchiveError(f"refused: {error}", path=str(archive), hint=hint) from error
    except _DAMAGE as error:
        what = f"damaged: {printable(str(error)) or type(error).__name__}"
        raise ArchiveError(what, path=str(archive), hint="nothing was unpacked; copy or download it again") from error
    except OSError as error:
        if error.errno is not None:
            raise FetchError(f"cannot be read: {error.strerror}".lower(), path=str(archive)) from error
        raise ArchiveError(f"damaged: {error}".lower(), path=str(archive)) from error  # bz2 says it like that
