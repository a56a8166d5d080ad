"""A safe reader of tar and zip archives, member by member.

It accepts regular files and folders with safe names, within limits, and refuses everything else. The standard library
parses the headers; the sizes they state are checked against the actual bytes. Compressed tar files are decompressed
here, because `tarfile` ignores wrong checksums and data after the end.
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

from assay.data.archives.limits import BoundedFile, Budget, Damaged, Limits, Names, Unsafe
from assay.errors import ArchiveError, FetchError, printable
from assay.types.runtime import Runtime

__all__ = ["Member", "members"]

_CHUNK = 1 << 16
_BLOCK = 512  # of tar
_MAX_EXTENSION_BYTES = 1 << 16  # of a tar header that extends the next one
_MAX_DIGITS = 19
_MAX_LZMA_BYTES = 1 << 28  # memory; xz -9 needs 65 MiB
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
    """A file or folder in an archive. Its data is complete once it was read to the end without an error."""

    parts: tuple[str, ...]
    is_folder: bool
    data: Iterator[bytes]


def members(archive: Path, *, limits: Limits | None = None, runtime: Runtime | None = None) -> Iterator[Member]:
    """The members of an archive, in order. Read the data of a member before asking for the next one."""
    limits = limits or Limits()
    names = Names(limits)
    with _as_archive_error(archive), BoundedFile(io.FileIO(archive)) as file:
        budget = Budget(limits, file, f"unpacking {archive.name}", runtime)
        for name, is_folder, size, data in _entries(archive, file, budget):
            chunks = _measured(name, size, data)
            yield Member(names.add(name, is_folder), is_folder, _guarded(archive, chunks))
            for _ in chunks:  # what the caller did not read
                pass


def _guarded(archive: Path, chunks: Iterator[bytes]) -> Iterator[bytes]:
    with _as_archive_error(archive):
        yield from chunks


def _measured(name: str, expected: int, data: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for chunk in data:
        size += len(chunk)
        yield chunk
    if size != expected:
        raise Damaged(f"'{printable(name)}' has {size:,} bytes, but its header says {expected:,}")


_Entry: TypeAlias = tuple[str, bool, int, Iterator[bytes]]
"""Name in the archive, whether it is a folder, size according to its header, data."""


def _entries(archive: Path, file: BoundedFile, budget: Budget) -> Iterator[_Entry]:
    start = file.read(_BLOCK)
    file.seek(0)
    if start.startswith((_ZIP_MEMBER, _ZIP_END)):
        return _zip_entries(file, budget)
    engine = next((magic for magic in _ENGINES if start.startswith(magic)), None)
    if engine is not None:
        chunks: Iterator[bytes] = _decompressed(file, engine)
    elif start[257:262] == b"ustar" or archive.name.removesuffix(".part").endswith(".tar"):
        chunks = iter(lambda: file.read(_CHUNK), b"")
    else:
        raise Damaged(f"not an archive{_guess(start)}")
    return _tar_entries(_Stream(budget.spend(chunk) for chunk in chunks))


def _guess(start: bytes) -> str:
    text = start.lstrip().lower()
    return " but a web page" if text.startswith((b"<!doctype", b"<html")) else "" if start else ": the file is empty"


def _decompressed(file: BoundedFile, magic: bytes) -> Iterator[bytes]:
    """The data of consecutive compressed streams, with nothing else between or after them."""
    rest = file.read(_CHUNK)
    while rest:
        if not rest.startswith(magic):
            raise Damaged("unexpected data after the compressed stream")
        rest = yield from _one_stream(_ENGINES[magic](), rest, file)
        while not (rest := rest.lstrip(b"\0")) and (more := file.read(_CHUNK)):  # tapes are padded with zeros
            rest = more
        rest += file.read(_CHUNK) if 0 < len(rest) < len(magic) else b""


def _one_stream(engine: Any, rest: bytes, file: BoundedFile) -> Generator[bytes, None, bytes]:
    """Yield the data of one compressed stream in chunks of limited size; return the bytes after its end."""
    while not engine.eof:
        at_end = False
        if not rest and getattr(engine, "needs_input", True):
            rest = file.read(_CHUNK)
            at_end = not rest
        chunk = engine.decompress(rest, _CHUNK)
        rest = getattr(engine, "unconsumed_tail", b"")  # zlib returns unconsumed input; the others keep it
        if chunk:
            yield chunk
        elif at_end:
            raise Damaged("the compressed data is truncated")
    return bytes(engine.unused_data)


class _Stream:
    """Reads blocks of any size from chunks of any other size."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._chunk, self._at = chunks, b"", 0

    def some(self, size: int) -> bytes:
        """Between one and `size` bytes; empty at the end."""
        if self._at >= len(self._chunk):
            self._chunk, self._at = next(self._chunks, b""), 0
        block = self._chunk[self._at : self._at + size]
        self._at += len(block)
        return block

    def chunks(self, size: int) -> Iterator[bytes]:
        """Exactly `size` bytes, in chunks."""
        while size:
            chunk = self.some(min(size, _CHUNK))
            if not chunk:
                raise Damaged("the archive is truncated")
            size -= len(chunk)
            yield chunk

    def exactly(self, size: int) -> bytes:
        return b"".join(self.chunks(size))


def _tar_entries(stream: _Stream) -> Iterator[_Entry]:
    extension: dict[bytes, bytes] = {}
    while any(block := stream.exactly(_BLOCK)):
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        if header.size < 0 or block[:100].strip(b"\0").count(0):
            raise Unsafe(f"the header of '{printable(header.name)}' has a NUL in its name or a negative size")
        if header.type in _TAR_EXTENSIONS:
            extension |= _tar_extension(header, stream)
            continue
        name = extension[b"path"].decode() if b"path" in extension else header.name
        size = _size(extension[b"size"]) if b"size" in extension else header.size
        is_folder = header.type == tarfile.DIRTYPE
        if header.type not in _TAR_FILES and not is_folder:
            kind = _TAR_OTHERS.get(header.type, f"of type {header.type!r}")
            raise Unsafe(f"'{printable(name)}' is {kind}, neither a file nor a folder")
        yield name, is_folder, 0 if is_folder else size, stream.chunks(size)
        stream.exactly(-size % _BLOCK)
        extension = {}
    if extension:
        raise Damaged("an extended header has no file")
    while rest := stream.some(_CHUNK):
        if any(rest):
            raise Damaged("unexpected data after the end of the archive")


def _tar_extension(header: tarfile.TarInfo, stream: _Stream) -> dict[bytes, bytes]:
    """The fields that an extended header sets for the next one."""
    if header.size > _MAX_EXTENSION_BYTES:
        raise Unsafe(f"an extended header has {header.size:,} bytes")
    data = stream.exactly(header.size)
    stream.exactly(-header.size % _BLOCK)
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {b"path": data.removesuffix(b"\0")}
    fields = _pax_records(data)
    if any(key.startswith(b"GNU.sparse") for key in fields):
        raise Unsafe("it contains a sparse file")
    if header.type == tarfile.XHDTYPE:
        return fields
    if fields.keys() & {b"path", b"size", b"linkpath"}:
        raise Unsafe("a header sets one name or size for all files")
    return {}


def _pax_records(data: bytes) -> dict[bytes, bytes]:
    fields = {}
    while data:
        size = _size(data.partition(b" ")[0])
        record = _PAX_RECORD.fullmatch(data[:size])
        if record is None or size > len(data):
            raise Damaged("an extended header is malformed")
        fields[record[1]] = record[2]
        data = data[size:]
    return fields


def _size(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > _MAX_DIGITS:
        raise Damaged("an extended header is malformed")
    return int(digits)


def _zip_entries(file: BoundedFile, budget: Budget) -> Iterator[_Entry]:
    with zipfile.ZipFile(file) as archive:
        _check_zip_layout(archive, file)
        for info in archive.infolist():
            _check_zip_entry(info)
            name = info.orig_filename
            yield name, name.endswith("/"), info.file_size, _zip_data(archive, info, budget)


def _check_zip_layout(archive: zipfile.ZipFile, file: BoundedFile) -> None:
    """Members must be contiguous from the first byte, and the table of contents must end the file."""
    file.seek(-_ZIP_END_BYTES - len(archive.comment), io.SEEK_END)
    if not file.read(_ZIP_END_BYTES).startswith(_ZIP_END):
        raise Damaged("unexpected data after the end of the archive")
    infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    ends = [0, *(i.header_offset + _ZIP_HEADER_BYTES + len(i.orig_filename) + i.compress_size for i in infos)]
    starts = [*(info.header_offset for info in infos), archive.start_dir]
    if any(start < end for start, end in zip(starts, ends, strict=True)):
        raise Unsafe("its members overlap")
    if starts[0] != 0:
        raise Damaged("unexpected data before the archive")


def _check_zip_entry(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    kind = stat.S_IFMT(info.external_attr >> 16)
    flaws = {
        "is neither a file nor a folder": kind not in (0, stat.S_IFDIR if name.endswith("/") else stat.S_IFREG),
        "is encrypted": bool(info.flag_bits & _ZIP_ENCRYPTED),
        "uses an unsupported compression method": info.compress_type not in _ZIP_METHODS,
        "has a name in an unknown encoding": not (name.isascii() or info.flag_bits & _ZIP_UTF8),
    }
    for flaw, is_so in flaws.items():
        if is_so:
            raise Unsafe(f"'{printable(name)}' {flaw}")


def _zip_data(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Iterator[bytes]:
    patient = copy.copy(info)
    patient.file_size += 1  # so that data beyond the stated size is noticed, not cut off
    with archive.open(patient) as data:
        while chunk := data.read(_CHUNK):
            yield budget.spend(chunk)


_DAMAGE = (
    *(Damaged, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct_error),
    *(EOFError, ValueError, NotImplementedError, OverflowError, RuntimeError),
)


@contextmanager
def _as_archive_error(archive: Path) -> Iterator[None]:
    try:
        yield
    except Unsafe as error:
        hint = "nothing was unpacked; if you trust the archive, unpack it with another program and inspect it"
        raise ArchiveError(f"refused: {error}", path=str(archive), hint=hint) from error
    except _DAMAGE as error:
        message = f"corrupt: {printable(str(error)) or type(error).__name__}"
        raise ArchiveError(
            message, path=str(archive), hint="nothing was unpacked; copy or download it again"
        ) from error
    except OSError as error:
        if error.errno is not None:
            raise FetchError(f"cannot be read: {error.strerror}".lower(), path=str(archive)) from error
        raise ArchiveError(f"corrupt: {error}".lower(), path=str(archive)) from error  # from bz2
