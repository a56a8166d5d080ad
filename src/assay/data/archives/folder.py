"""The data folder, and new folders in it that are complete or absent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.errors import FetchError
from assay.files import user_folder

__all__ = ["TEST_SETS", "as_fetch_error", "data_folder", "folder_for", "new_folder"]

TEST_SETS = "test-sets"
"""Where the files of public test sets are, in the data folder."""


def data_folder() -> Path:
    """`$ASSAY_HOME`, or the user's XDG data folder. It may not exist yet."""
    return user_folder("ASSAY_HOME", "XDG_DATA_HOME", ".local/share", "assay")


@contextmanager
def folder_for(target: Path) -> Iterator[None]:
    """Create the parent folder of a target; remove the folders created here if they are still empty at the end."""
    created = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    try:
        with as_fetch_error(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        with suppress(OSError):  # a folder that is not empty is in use
            for folder in created:
                folder.rmdir()


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A temporary folder beside the target, whose complete contents are then moved there; it is always removed."""
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
    """Remove the temporary folders of interrupted imports to the same target: no process holds them any more."""
    import shutil

    for leftover in target.parent.glob(f"{_scratch_prefix(target)}*"):
        with _held(leftover) as is_free:
            if is_free:
                shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Lock a folder while working in it. The system releases the lock even if the process is killed."""
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # no such locks on Windows, where nothing is removed
        yield False
        return
    try:
        yield _locked(fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def _locked(lock: Callable[[int, int], object], descriptor: int, mode: int) -> bool:
    try:
        lock(descriptor, mode)
    except OSError:
        return False
    return True


@contextmanager
def as_fetch_error(path: Path) -> Iterator[None]:
    """Turn system errors into an error that names the path."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FetchError(f"cannot be written: {reason}", path=str(path), hint=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space, or use a folder on another disk: ASSAY_HOME=/other/disk/assay"
    return "use a folder you can write to: ASSAY_HOME=/path/to/folder"
