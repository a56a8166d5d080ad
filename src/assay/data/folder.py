"""Where data lives that was imported or fetched, and the record beside it that says what it was."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from assay.errors import FetchError, printable
from assay.files import write_whole

__all__ = [
    "RECORD",
    "ImportRecord",
    "Progress",
    "StoredFile",
    "as_fetch_error",
    "data_folder",
    "folder_for",
    "new_folder",
    "read_record",
    "sha256_of",
    "verify",
    "write_record",
]

RECORD = ".assay-import.json"
_KIND, _VERSION = "assay import", 1
_CHUNK = 1 << 20

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, and how many of how many bytes are finished (of 0: nobody knows)."""


def data_folder() -> Path:
    """`$ASSAY_HOME`, else the user's data folder by the XDG rules. It need not be there yet."""
    if own := os.environ.get("ASSAY_HOME"):
        return Path(own).expanduser()
    shared = os.environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share") / "assay"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What a file has to be like."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """Which archive a folder was unpacked from, and every file in it."""

    archive: str
    sha256: str
    files: Mapping[str, StoredFile]


def write_record(folder: Path, record: ImportRecord) -> None:
    """Leave the record in the folder."""
    import json

    tree = {
        "kind": _KIND,
        "version": _VERSION,
        "archive": record.archive,
        "sha256": record.sha256,
        "files": {name: {"bytes": f.bytes, "sha256": f.sha256} for name, f in sorted(record.files.items())},
    }
    write_whole(folder / RECORD, (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode())


def read_record(folder: Path) -> ImportRecord:
    """The record of an imported folder."""
    import json

    place = folder / RECORD
    try:
        tree = json.loads(place.read_bytes())
        if tree["kind"] != _KIND or tree["version"] != _VERSION:
            raise ValueError(f"kind and version are {tree['kind']!r}, {tree['version']!r}")
        files = {str(k): StoredFile(int(f["bytes"]), str(f["sha256"])) for k, f in tree["files"].items()}
        return ImportRecord(str(tree["archive"]), str(tree["sha256"]), files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FetchError(reason, path=str(place), hint="only folders that Assay unpacked have this record") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FetchError(f"not the record of an import: {error}", path=str(place)) from error


def verify(folder: Path, *, progress: Progress | None = None) -> list[str]:
    """What is different from what was imported; nothing, if all is well."""
    try:
        record = read_record(folder)
    except FetchError as error:
        return [error.message]
    present, problems = _present(folder)
    for done, (name, expected) in enumerate(sorted(record.files.items())):
        if progress is not None:
            progress(f"verifying {folder.name}", done, len(record.files))
        if name not in present:
            problems.append(f"{printable(name)}: is missing")
        elif (flaw := _flaw_of_file(folder / name, expected)) is not None:
            problems.append(f"{printable(name)}: {flaw}")
    problems += [f"{printable(name)}: was not in the archive" for name in sorted(present - record.files.keys())]
    return problems


def _present(folder: Path) -> tuple[set[str], list[str]]:
    """The regular files under a folder, and complaints about what is neither file nor folder."""
    files, problems = set(), []
    for place, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(place, name)
            shown = path.relative_to(folder).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                problems.append(f"{printable(shown)}: is neither a file nor a folder")
            elif path.is_file() and shown != RECORD:
                files.add(shown)
    return files, sorted(problems)


def _flaw_of_file(path: Path, expected: StoredFile) -> str | None:
    try:
        if (size := path.stat().st_size) != expected.bytes:
            return f"has {size:,} bytes instead of {expected.bytes:,}"
        return None if sha256_of(path) == expected.sha256 else "has changed: its SHA-256 is another"
    except OSError as error:
        return f"cannot be read: {(error.strerror or str(error)).lower()}"


def sha256_of(path: Path, *, progress: Progress | None = None) -> str:
    """The SHA-256 of a file, read piece by piece."""
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as file:
        total, done = os.fstat(file.fileno()).st_size, 0
        while piece := file.read(_CHUNK):
            digest.update(piece)
            done += len(piece)
            if progress is not None:
                progress(f"checking {path.name}", done, total)
    return digest.hexdigest()


@contextmanager
def folder_for(target: Path) -> Iterator[None]:
    """Make the folder that something is to lie in; if nothing does in the end, what was made is removed again."""
    absent = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    try:
        with as_fetch_error(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        with suppress(OSError):  # a folder that is not empty is in use
            for folder in absent:
                folder.rmdir()


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A fresh folder beside the target, for what is to be moved there when it is whole; it never stays behind."""
    import shutil
    import tempfile

    with folder_for(target):
        with as_fetch_error(target):
            _sweep(target)
            scratch = Path(tempfile.mkdtemp(prefix=_scratch_prefix(target), dir=target.parent))
        try:
            with _held(scratch):
                yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _scratch_prefix(target: Path) -> str:
    return f".{target.name[:60]}-importing-"


def _sweep(target: Path) -> None:
    """Remove what imports into the same place left behind when they were killed: nobody holds it any more."""
    import shutil

    for left in target.parent.glob(f"{_scratch_prefix(target)}*"):
        with _held(left) as mine:
            if mine:
                shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold a folder while it is worked in; the system lets go of it even if the process is killed."""
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # Windows has other locks; there, nothing is swept
        yield False
        return
    try:
        yield _locked(fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def _locked(lock: Callable[[int, int], object], descriptor: int, how: int) -> bool:
    try:
        lock(descriptor, how)
    except OSError:
        return False
    return True


@contextmanager
def as_fetch_error(place: Path) -> Iterator[None]:
    """What the system refuses, as an error that names the place."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FetchError(f"cannot be written: {reason}", path=str(place), hint=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space, or name a folder on another disk: ASSAY_HOME=/other/disk/assay"
    return "name a folder that you may write to: ASSAY_HOME=/some/where"
