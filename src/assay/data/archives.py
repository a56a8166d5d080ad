"""Archives to folders that are whole or not there, with a record of every file in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from assay.data.bounds import Limits, flaw_of_name
from assay.data.folder import (
    ImportRecord,
    Progress,
    StoredFile,
    as_fetch_error,
    data_folder,
    new_folder,
    read_record,
    sha256_of,
    verify,
    write_record,
)
from assay.data.members import Member, members
from assay.errors import ArchiveError, ChecksumError, ConfigError, FetchError, printable

__all__ = ["SUFFIXES", "Limits", "Unpacked", "check", "import_archive", "stem_of", "unpack", "verify"]

SUFFIXES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar", ".zip")
_SUM = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A folder that holds what an archive held."""

    folder: Path
    files: int
    bytes: int
    sha256: str  # of the archive
    already_there: bool = False


def import_archive(
    archive: Path, home: Path | None = None, *, limits: Limits | None = None, progress: Progress | None = None
) -> Path:
    """Unpack an archive into the data folder, under its name without suffix; a top folder of that name is left out."""
    name = stem_of(archive.name)
    return unpack(archive, (home or data_folder()) / name, strip=name, limits=limits, progress=progress).folder


def stem_of(name: str) -> str:
    """The name of an archive without its suffix."""
    suffix = next((s for s in SUFFIXES if name.lower().endswith(s)), None)
    if suffix is None:
        raise ConfigError(f"'{printable(name)}' is no archive by its name", hint=f"known: {' '.join(SUFFIXES)}")
    stem = name[: -len(suffix)]
    if (flaw := flaw_of_name(stem)) is not None:
        raise ConfigError(f"'{printable(name)}' cannot be the name of an archive: {flaw}", hint="rename the file")
    return stem


def unpack(
    archive: Path,
    folder: Path,
    *,
    strip: str | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Unpacked:
    """Unpack a tar or zip archive into a new folder, which has everything or is not there.

    A folder that was unpacked from the same archive is left as it is; any other is an error. A `SHA256SUMS` beside the
    archive is held to. If all lies in a single top folder called `strip` or `strip-…`, that level is left out.
    """
    digest = _checked_digest(archive, progress)
    if folder.exists() or folder.is_symlink():
        return _same_import(folder, digest)
    with new_folder(folder) as scratch:
        root = scratch / "new"
        with as_fetch_error(folder):
            root.mkdir()
        files = _read(archive, root, limits, progress)
        top = _single_top(root, strip)
        files = {name.removeprefix(top): file for name, file in files.items()}
        record = ImportRecord(archive.name, digest, files)
        write_record(root / top, record)
        try:
            (root / top).rename(folder)
        except OSError as error:
            if folder.is_dir():  # somebody else was faster
                return _same_import(folder, digest)
            raise FetchError(f"cannot be made: {(error.strerror or str(error)).lower()}", path=str(folder)) from error
    return _unpacked(folder, record)


def check(archive: Path, *, limits: Limits | None = None, progress: Progress | None = None) -> None:
    """Go through an archive as if to unpack it, without writing anything."""
    _read(archive, None, limits, progress)


def _checked_digest(archive: Path, progress: Progress | None) -> str:
    """The SHA-256 of an archive, which is the one that SHA256SUMS beside it gives, if there is one."""
    sums = archive.parent / "SHA256SUMS"
    try:
        if archive.exists() and not archive.is_file():
            raise FetchError("is no file", path=str(archive))
        digest = sha256_of(archive, progress=progress)
        lines = sums.read_text("utf-8", "replace").splitlines() if sums.is_file() else []
    except OSError as error:
        raise FetchError((error.strerror or str(error)).lower(), path=str(archive)) from error
    for found in map(_SUM.fullmatch, lines):
        if found and found[2] == archive.name and found[1].lower() != digest:
            what = f"its SHA-256 is {digest}, but {sums.name} beside it says {found[1].lower()}"
            raise ChecksumError(what, path=str(archive), hint="copy or download it again")
    return digest


def _same_import(folder: Path, digest: str) -> Unpacked:
    try:
        record = read_record(folder)
    except FetchError as error:
        hint = "remove or rename it, or name another place"
        raise FetchError("is there already, and not from an import", path=str(folder), hint=hint) from error
    if record.sha256 != digest:
        what = f"is there already, from another archive: {printable(record.archive)}, SHA-256 {record.sha256[:16]}…"
        raise FetchError(what, path=str(folder), hint="remove or rename it, or rename the archive")
    return _unpacked(folder, record, already_there=True)


def _unpacked(folder: Path, record: ImportRecord, *, already_there: bool = False) -> Unpacked:
    size = sum(file.bytes for file in record.files.values())
    return Unpacked(folder, len(record.files), size, record.sha256, already_there)


def _single_top(root: Path, strip: str | None) -> str:
    """`NAME/` if that is all there is and may be left out, else nothing."""
    names = [path.name for path in root.iterdir()]
    if strip is None or len(names) != 1 or not (root / names[0]).is_dir():
        return ""
    return f"{names[0]}/" if names[0] == strip or names[0].startswith(f"{strip}-") else ""


def _read(archive: Path, root: Path | None, limits: Limits | None, progress: Progress | None) -> dict[str, StoredFile]:
    """Go through an archive and write what it holds under a folder, if there is one."""
    files = {}
    for member in members(archive, limits=limits, progress=progress):
        place = None if root is None else root.joinpath(*member.parts)
        if not member.folder:
            files["/".join(member.parts)] = _copied(member, place)
        elif place is not None:
            with as_fetch_error(place):
                place.mkdir(parents=True, exist_ok=True)
    if not files:
        raise ArchiveError("there is no file in it", path=str(archive))
    return files


def _copied(member: Member, place: Path | None) -> StoredFile:
    """Write a file and measure it."""
    import hashlib

    digest, size = hashlib.sha256(), 0
    with _new_file(place) as file:
        for piece in member.data:
            size += len(piece)
            digest.update(piece)
            if file is not None:
                file.write(piece)
    return StoredFile(size, digest.hexdigest())


@contextmanager
def _new_file(place: Path | None) -> Iterator[BinaryIO | None]:
    if place is None:
        yield None
        return
    with as_fetch_error(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            yield file
