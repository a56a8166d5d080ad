"""Check for files, and write them atomically."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from assay.errors import InputError

__all__ = ["exists", "write_atomic"]


def exists(path: str | Path) -> bool:
    """Whether a file or folder exists; False for a string that cannot be a path."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a file name, or with a NUL
        return False


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


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
