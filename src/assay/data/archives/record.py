"""The record in an imported folder: the archive it came from, and the size and digest of every file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import FetchError, printable
from assay.files import write_atomic
from assay.types.runtime import Runtime

__all__ = ["RECORD", "ImportRecord", "StoredFile", "checked_file", "read_record", "sha256_of", "verify", "write_record"]

RECORD = ".assay-import.json"
_KIND, _VERSION = "assay import", 1
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The size and digest a file must have."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """The archive a folder was unpacked from, and all its files by path."""

    archive: str
    sha256: str
    files: Mapping[str, StoredFile]


def write_record(folder: Path, record: ImportRecord) -> None:
    """Write the record into the folder."""
    tree = {
        "kind": _KIND,
        "version": _VERSION,
        "archive": record.archive,
        "sha256": record.sha256,
        "files": {name: {"bytes": f.bytes, "sha256": f.sha256} for name, f in sorted(record.files.items())},
    }
    write_atomic(folder / RECORD, (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode())


def read_record(folder: Path) -> ImportRecord:
    """The record of an imported folder."""
    path = folder / RECORD
    try:
        tree = json.loads(path.read_bytes())
        if tree["kind"] != _KIND or tree["version"] != _VERSION:
            raise ValueError(f"kind and version are {tree['kind']!r}, {tree['version']!r}")
        files = {str(k): StoredFile(int(f["bytes"]), str(f["sha256"])) for k, f in tree["files"].items()}
        return ImportRecord(str(tree["archive"]), str(tree["sha256"]), files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FetchError(reason, path=str(path), hint="only folders unpacked by Assay have this record") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FetchError(f"not an import record: {error}", path=str(path)) from error


def verify(folder: Path, *, runtime: Runtime | None = None) -> list[str]:
    """How the folder differs from what was imported; an empty list if it does not."""
    try:
        record = read_record(folder)
    except FetchError as error:
        return [error.message]
    present, problems = _present_files(folder)
    files = (runtime or Runtime()).track(sorted(record.files.items()), lambda _: f"verifying {folder.name}")
    for name, expected in files:
        if name not in present:
            problems.append(f"{printable(name)}: missing")
        elif (flaw := _flaw_of_file(folder / name, expected)) is not None:
            problems.append(f"{printable(name)}: {flaw}")
    problems += [f"{printable(name)}: not in the archive" for name in sorted(present - record.files.keys())]
    return problems


def checked_file(folder: Path, name: str) -> Path:
    """A file of an imported folder, as it was imported."""
    record = read_record(folder)
    path = folder / name
    if name not in record.files:
        raise FetchError(f"{printable(record.archive)} has no file {printable(name)}", path=str(folder))
    if (flaw := _flaw_of_file(path, record.files[name])) is not None:
        hint = f"remove the folder {folder}, and run the command again"
        raise FetchError(f"has changed since it was unpacked: {flaw}", path=str(path), hint=hint)
    return path


def _present_files(folder: Path) -> tuple[set[str], list[str]]:
    """The regular files under a folder, and complaints about entries that are neither file nor folder."""
    files, problems = set(), []
    for parent, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(parent, name)
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                problems.append(f"{printable(relative)}: neither a file nor a folder")
            elif path.is_file() and relative != RECORD:
                files.add(relative)
    return files, sorted(problems)


def _flaw_of_file(path: Path, expected: StoredFile) -> str | None:
    try:
        if (size := path.stat().st_size) != expected.bytes:
            return f"has {size:,} bytes instead of {expected.bytes:,}"
        return None if sha256_of(path) == expected.sha256 else "changed: the SHA-256 differs"
    except OSError as error:
        return f"cannot be read: {(error.strerror or str(error)).lower()}"


def sha256_of(path: Path, *, runtime: Runtime | None = None) -> str:
    """The SHA-256 of a file, which is read in chunks."""
    import hashlib

    digest = hashlib.sha256()
    runtime = runtime or Runtime()
    with path.open("rb") as file:
        total, done = os.fstat(file.fileno()).st_size, 0
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            runtime.report(f"checking {path.name}", done, total)
    return digest.hexdigest()
