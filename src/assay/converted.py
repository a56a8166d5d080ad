"""Large files that are converted once, to a folder in the cache from which they open at once.

The folder is complete or absent: it is written beside its place and renamed. One process converts, others wait for it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

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
    with _as_input_error(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = (folder.parent / f"{folder.name}.lock").open("w")
    with file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except (ImportError, OSError):  # no such locks on Windows and some network disks: at worst work is done twice
            pass
        else:
            for leftover in folder.parent.glob(f"{_scratch_prefix(folder)}*"):  # of a process that was killed
                shutil.rmtree(leftover, ignore_errors=True)
        yield


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
        hint = "use a folder on a disk with enough space: ASSAY_CACHE=FOLDER"
        raise InputError(f"cannot be written: {reason}", path=str(target.parent), hint=hint) from error
