"""Large files that are converted once, to a folder in the cache from which they open at once.

The folder is complete or absent: it is written beside its place and renamed. One process converts, others wait for it.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from assay.errors import InputError

__all__ = ["locked", "new_folder", "open_converted"]

_T = TypeVar("_T")


def open_converted(folder: Path, open_folder: Callable[[Path], _T], convert: Callable[[Path], None]) -> _T:
    """What `open_folder` returns, after `convert` if it raises an OSError, a ValueError or a TypeError.

    It raises if the folder is missing or damaged. `convert` writes all files into the empty folder that it gets.
    """
    if (found := _opened(folder, open_folder)) is None:
        with locked(folder):
            if (found := _opened(folder, open_folder)) is None:  # not made by another process meanwhile
                with new_folder(folder) as scratch:
                    convert(scratch)
                found = open_folder(folder)
    return found


def _opened(folder: Path, open_folder: Callable[[Path], _T]) -> _T | None:
    try:
        return open_folder(folder)
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one process at a time work on a folder. The system releases the lock even if the process is killed."""
    path = folder.parent / f"{folder.name}.lock"
    with _as_input_error(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
        while (is_locked := _lock(file)) and not _is_same(file, path):  # the process before us has removed it
            file.close()
            file = path.open("w")
    with file:
        try:
            if is_locked:
                for leftover in folder.parent.glob(f"{_scratch_prefix(folder)}*"):  # of a process that was killed
                    shutil.rmtree(leftover, ignore_errors=True)
            yield
        finally:
            with suppress(OSError):  # an open file cannot be removed on Windows
                path.unlink()


def _lock(file: IO[str]) -> bool:
    """Wait for the lock; False if there are no locks on Windows or a network disk: at worst work is done twice."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return False
    return True


def _is_same(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A temporary folder that becomes the target, unless an error occurs. A damaged target is replaced."""
    with _as_input_error(target):
        scratch = Path(tempfile.mkdtemp(prefix=_scratch_prefix(target), dir=target.parent))
        try:
            yield scratch
            shutil.rmtree(target, ignore_errors=True)
            scratch.rename(target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _scratch_prefix(folder: Path) -> str:
    return f".{folder.name}-converting-"


@contextmanager
def _as_input_error(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        wanted = "on a disk with enough space" if is_full else "that can be written"
        hint = f"use a folder {wanted}: ASSAY_CACHE=FOLDER"
        raise InputError(f"cannot be written: {reason}", path=str(target.parent), hint=hint) from error
