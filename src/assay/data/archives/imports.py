"""Archives unpacked into folders that are complete or absent, with a record of every file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from assay.data.archives.folder import as_fetch_error, data_folder, new_folder
from assay.data.archives.limits import Limits, flaw_of_name
from assay.data.archives.reader import Member, members
from assay.data.archives.record import ImportRecord, StoredFile, read_record, sha256_of, write_record
from assay.errors import ArchiveError, ChecksumError, ConfigError, FetchError, printable
from assay.types.runtime import Runtime

__all__ = ["SUFFIXES", "Limits", "Unpacked", "check", "import_archive", "stem_of", "unpack"]

SUFFIXES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar", ".zip")
_SUM = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A folder with the contents of an archive."""

    folder: Path
    files: int
    bytes: int
    sha256: str  # of the archive
    already_there: bool = False


def import_archive(
    archive: Path, home: Path | None = None, *, limits: Limits | None = None, runtime: Runtime | None = None
) -> Path:
    """Unpack an archive into the data folder, under its name without suffix; drop a single top folder of that name."""
    name = stem_of(archive.name)
    return unpack(archive, (home or data_folder()) / name, strip=name, limits=limits, runtime=runtime).folder


def stem_of(name: str) -> str:
    """The name of an archive without its suffix."""
    suffix = next((s for s in SUFFIXES if name.lower().endswith(s)), None)
    if suffix is None:
        raise ConfigError(f"unsupported archive extension: {printable(name)}", hint=f"supported: {' '.join(SUFFIXES)}")
    stem = name[: -len(suffix)]
    if (flaw := flaw_of_name(stem)) is not None:
        raise ConfigError(f"unsafe archive name '{printable(name)}': {flaw}", hint="rename the file")
    return stem


def unpack(
    archive: Path,
    folder: Path,
    *,
    strip: str | None = None,
    limits: Limits | None = None,
    runtime: Runtime | None = None,
) -> Unpacked:
    """Unpack a tar or zip archive into a new folder, completely or not at all.

    A folder that was unpacked from the same archive stays as it is; any other existing folder is an error. If there is
    a `SHA256SUMS` beside the archive, the digest must match. A single top folder `strip` or `strip-…` is dropped.
    """
    digest = _checked_digest(archive, runtime)
    if folder.exists() or folder.is_symlink():
        return _same_import(folder, digest)
    with new_folder(folder) as scratch:
        root = scratch / "new"
        with as_fetch_error(folder):
            root.mkdir()
        files = _read(archive, root, limits, runtime)
        top = _single_top(root, strip)
        files = {name.removeprefix(top): file for name, file in files.items()}
        record = ImportRecord(archive.name, digest, files)
        write_record(root / top, record)
        try:
            (root / top).rename(folder)
        except OSError as error:
            if folder.is_dir():  # another process was faster
                return _same_import(folder, digest)
            raise FetchError(
                f"cannot be created: {(error.strerror or str(error)).lower()}", path=str(folder)
            ) from error
    return _unpacked(folder, record)


def check(archive: Path, *, limits: Limits | None = None, runtime: Runtime | None = None) -> None:
    """Read an archive as for unpacking, without writing anything."""
    _read(archive, None, limits, runtime)


def _checked_digest(archive: Path, runtime: Runtime | None) -> str:
    """The SHA-256 of an archive, checked against the SHA256SUMS beside it, if any."""
    sums = archive.parent / "SHA256SUMS"
    try:
        if archive.exists() and not archive.is_file():
            raise FetchError("not a file", path=str(archive))
        digest = sha256_of(archive, runtime=runtime)
        lines = sums.read_text("utf-8", "replace").splitlines() if sums.is_file() else []
    except OSError as error:
        raise FetchError((error.strerror or str(error)).lower(), path=str(archive)) from error
    for entry in map(_SUM.fullmatch, lines):
        if entry and entry[2] == archive.name and entry[1].lower() != digest:
            message = f"the SHA-256 is {digest}, but {sums.name} says {entry[1].lower()}"
            raise ChecksumError(message, path=str(archive), hint="copy or download it again")
    return digest


def _same_import(folder: Path, digest: str) -> Unpacked:
    try:
        record = read_record(folder)
    except FetchError as error:
        hint = "remove or rename it, or choose another folder"
        raise FetchError("already exists and was not imported by Assay", path=str(folder), hint=hint) from error
    if record.sha256 != digest:
        other = f"{printable(record.archive)}, SHA-256 {record.sha256[:16]}…"
        hint = "remove or rename it, or rename the archive"
        raise FetchError(f"already exists, imported from another archive: {other}", path=str(folder), hint=hint)
    return _unpacked(folder, record, already_there=True)


def _unpacked(folder: Path, record: ImportRecord, *, already_there: bool = False) -> Unpacked:
    size = sum(file.bytes for file in record.files.values())
    return Unpacked(folder, len(record.files), size, record.sha256, already_there)


def _single_top(root: Path, strip: str | None) -> str:
    """`NAME/` for a single top folder that may be dropped, else an empty string."""
    names = [path.name for path in root.iterdir()]
    if strip is None or len(names) != 1 or not (root / names[0]).is_dir():
        return ""
    return f"{names[0]}/" if names[0] == strip or names[0].startswith(f"{strip}-") else ""


def _read(archive: Path, root: Path | None, limits: Limits | None, runtime: Runtime | None) -> dict[str, StoredFile]:
    """Read an archive and write its members below `root`, if given."""
    files = {}
    for member in members(archive, limits=limits, runtime=runtime):
        target = None if root is None else root.joinpath(*member.parts)
        if not member.is_folder:
            files["/".join(member.parts)] = _copy(member, target)
        elif target is not None:
            with as_fetch_error(target):
                target.mkdir(parents=True, exist_ok=True)
    if not files:
        raise ArchiveError("contains no files", path=str(archive))
    return files


def _copy(member: Member, target: Path | None) -> StoredFile:
    """Write a member to a file, and return its size and digest."""
    import hashlib

    digest, size = hashlib.sha256(), 0
    with _new_file(target) as file:
        for chunk in member.data:
            size += len(chunk)
            digest.update(chunk)
            if file is not None:
                file.write(chunk)
    return StoredFile(size, digest.hexdigest())


@contextmanager
def _new_file(target: Path | None) -> Iterator[BinaryIO | None]:
    if target is None:
        yield None
        return
    with as_fetch_error(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            yield file
