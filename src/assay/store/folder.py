"""The folder of a saved result: an index, `result.json`, and the files it lists.

A listed file has the digest of its content in its name and is never changed. The index is written last, by an atomic
rename. Even if a process is killed, the folder therefore holds the previous result or the new one, never a mixture.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import CorruptError, DecodeError, InputError, StoreError
from assay.files import check_writable, write_atomic
from assay.files.strict_json import parse_json
from assay.version import __version__

__all__ = ["INDEX", "check_folder", "dump_json", "file_name", "load_json", "read_folder", "read_index", "write_folder"]

INDEX = "result.json"
_KIND = "assay result"
_VERSION = 1
_LISTED = re.compile(r"[A-Za-z]\w*\.[0-9a-f]{16}\.(npy|json)", re.ASCII)
_TEMPORARY = re.compile(r"\.assay-\w+")


def file_name(stem: str, suffix: str, data: bytes) -> str:
    """Name of a listed file: what it holds, the digest of its content, and its format."""
    return f"{stem}.{_digest(data)}.{suffix}"


def check_folder(folder: str | Path) -> None:
    """Check that a result can be saved in a folder.

    It can be written, and is new, empty, or holds nothing but a saved result.
    """
    path = Path(folder)
    try:
        if not str(folder).strip():
            raise StoreError("the name of the folder is empty")
        exists = path.exists()
        if exists and not path.is_dir():
            raise StoreError("is not a folder", path=str(folder))
        names = [entry.name for entry in path.iterdir()] if exists else []
        check_writable(path)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot be written: {_reason(error)}", path=str(folder)) from error
    others = sorted(name for name in names if name != INDEX and not _is_result_file(name))
    if others:
        message = f"contains other files ({others[0]}) and will not be overwritten"
        raise StoreError(message, path=str(folder), hint="choose a new folder")


def write_folder(folder: str | Path, content: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write the files and then the index, and delete the files of the result that was saved there before."""
    check_folder(folder)
    path = Path(folder)
    index = {"kind": _KIND, "version": _VERSION, "assay": __version__, **content, "files": sorted(files)}
    index["digest"] = _digest(dump_json(index))
    try:
        path.mkdir(parents=True, exist_ok=True)
        with _lock(path, exclusive=True):
            for name, data in files.items():
                write_atomic(path / name, data)
            write_atomic(path / INDEX, dump_json(index))
            for entry in path.iterdir():
                if entry.name not in files and _is_result_file(entry.name):
                    entry.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot be written: {_reason(error)}", path=str(folder)) from error


def read_folder(folder: str | Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read the index and the files it lists, and check them against their digests."""
    path = Path(folder)
    with _lock(path, exclusive=False):
        index = _read_index(path / INDEX)
        return index, {name: _read_listed(path / name) for name in _listed_names(index, path / INDEX)}


def read_index(folder: str | Path) -> dict[str, Any]:
    """Read the index alone."""
    path = Path(folder)
    with _lock(path, exclusive=False):
        return _read_index(path / INDEX)


def dump_json(tree: object) -> bytes:
    """Strict JSON: no NaN. A lone surrogate, as in the name of a file that is not UTF-8, becomes a JSON escape."""
    return (json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode(errors="backslashreplace")


def load_json(data: bytes) -> Any:
    """What `dump_json` wrote; anything else is an `InputError`."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise DecodeError(f"invalid JSON: not UTF-8 at byte {error.start + 1}") from None
    return parse_json(text, path=None, allow_surrogates=True)


def _is_result_file(name: str) -> bool:
    return bool(_LISTED.fullmatch(name) or _TEMPORARY.fullmatch(name))


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


@contextmanager
def _lock(path: Path, *, exclusive: bool) -> Iterator[None]:
    """Keep other processes from writing. The operating system releases the lock of a process that is killed."""
    try:
        import fcntl
    except ImportError:  # not available on this platform: the last process to save wins
        yield
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # missing or not readable: opening a file in it reports the reason
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)


def _read_index(path: Path) -> dict[str, Any]:
    try:
        index = load_json(_read_file(path))
    except OSError as error:
        hint = f"a saved result is a folder with a {INDEX}; the option --save DIR writes one"
        raise StoreError(_reason(error), path=str(path), hint=hint) from error
    except InputError as error:
        raise CorruptError(error.message, path=str(path)) from error
    if not isinstance(index, dict) or index.get("kind") != _KIND:
        raise CorruptError("not a saved result", path=str(path))
    if index.get("version") != _VERSION:
        message = f"has format version {index.get('version')}, but this version of Assay reads version {_VERSION}"
        raise StoreError(message, path=str(path))
    if index.pop("digest", None) != _digest(dump_json(index)):
        raise CorruptError("has changed since it was saved", path=str(path))
    return index


def _listed_names(index: Mapping[str, Any], path: Path) -> list[str]:
    names = index.get("files")
    if not isinstance(names, list):
        raise CorruptError("does not list the files of the result", path=str(path))
    for name in names:
        if not isinstance(name, str) or not _LISTED.fullmatch(name):
            raise CorruptError(f"lists {name!r}, which is not the name of a file of a result", path=str(path))
    return names


def _read_listed(path: Path) -> bytes:
    try:
        data = _read_file(path)
    except OSError as error:
        raise CorruptError(_reason(error), path=str(path)) from error
    if _digest(data) != path.name.split(".")[1]:
        raise CorruptError("has changed since it was saved", path=str(path))
    return data


def _read_file(path: Path) -> bytes:
    """Content of a regular file; reading a pipe or device could wait forever."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError("Not a regular file")
    return path.read_bytes()
