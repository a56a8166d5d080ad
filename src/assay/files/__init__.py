"""Check for files, and write them atomically; a file that exists is replaced only where that loses nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from assay.errors import InputError, option_name

__all__ = [
    "cache_folder",
    "check_replaceable",
    "check_writable",
    "exists",
    "user_folder",
    "write_atomic",
    "write_in_folder",
]


def exists(path: str | Path) -> bool:
    """Whether a file or folder exists; False for a string that cannot be a path."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a file name, or with a NUL
        return False


def check_replaceable(
    target: Path,
    *,
    inputs: Iterable[str | Path] = (),
    force: bool = False,
    is_result: Callable[[bytes], bool] = lambda content: False,
    is_changed_result: Callable[[bytes], bool] = lambda content: False,
    elsewhere: str = "choose another name",
) -> None:
    """Raise if writing a file or folder would destroy something. Every command and function checks before it computes.

    An input is never replaced, under whatever name or link, and nothing is written into a folder that is an input: it
    would be read next time. Elsewhere, results are replaced (files whose content `is_result` recognises, and which can
    be computed again), and with `force` other files, too. Empty files are replaced; pipes and devices are written to.
    `is_changed_result` recognises results that someone has corrected; `elsewhere` says how to write to another place.
    """
    places = [Path(path) for path in inputs if exists(path)]
    _check_outside(target, [path for path in places if path.is_dir()])
    if not exists(target) or not (target.is_file() or target.is_dir()):
        return
    if any(target.samefile(path) for path in places):
        raise InputError("is an input and will not be replaced", path=str(target), hint="choose another name")
    if target.is_dir() or not (content := _content(target)) or is_result(content):
        return
    if not force:
        hint = f"{elsewhere}, or replace it with {option_name('force', True)}"
        message = "was changed after Assay wrote it" if is_changed_result(content) else "already exists"
        raise InputError(message, path=str(target), hint=hint)


def check_writable(folder: Path) -> None:
    """Raise an OSError if no file can be written in a folder, or if the folder does not exist and cannot be made.

    A file is opened there and vanishes: permissions say nothing about read-only disks, and little to an administrator.
    """
    import tempfile  # slow to import

    while not folder.exists():
        folder = folder.parent
    with tempfile.TemporaryFile(dir=folder):
        pass


def _check_outside(target: Path, folders: Iterable[Path]) -> None:
    parents = target.resolve().parents
    for folder in folders:
        if folder.resolve() in parents:
            message = f"is in the folder {folder}, which is an input: nothing is written there"
            raise InputError(message, path=str(target), hint="choose a name in another folder")


def _content(target: Path) -> bytes:
    try:
        return target.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be replaced: {(error.strerror or str(error)).lower()}", path=str(target)) from error


def write_atomic(target: Path, data: bytes) -> None:
    """Write a temporary file and rename it, so that no reader ever sees a partial file.

    A symbolic link stays a link, and a device or pipe is written to directly.
    """
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        file = target.resolve()
        mode = file.stat().st_mode if file.exists() else 0o666 & ~_umask()
        import tempfile  # slow to import

        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".assay-", delete=False) as temporary:
            try:
                temporary.write(data)
                temporary.flush()
                os.fsync(temporary.fileno())
                Path(temporary.name).chmod(mode)
                Path(temporary.name).replace(file)
            except BaseException:
                Path(temporary.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=str(target)) from error


def write_in_folder(target: Path, data: bytes) -> None:
    """The same, in a folder that is created if it does not exist."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot create the folder: {(error.strerror or str(error)).lower()}"
        raise InputError(message, path=str(target.parent)) from error
    write_atomic(target, data)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def cache_folder() -> Path:
    """`$ASSAY_CACHE`, or `assay` in the user's XDG cache folder. Everything in it can be computed again."""
    return user_folder("ASSAY_CACHE", "XDG_CACHE_HOME", ".cache", "assay")


def user_folder(variable: str, xdg_variable: str, xdg_default: str, name: str) -> Path:
    """The folder in `$variable`, else `name` in the user's XDG folder. It may not exist yet."""
    if own := os.environ.get(variable):
        return Path(own).expanduser()
    shared = os.environ.get(xdg_variable, "")  # the XDG rules say: ignore a relative path
    return (Path(shared) if Path(shared).is_absolute() else Path.home() / xdg_default) / name
