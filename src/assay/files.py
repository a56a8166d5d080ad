"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from assay.errors import InputError

__all__ = ["write_whole"]


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; a device or pipe is written to, not replaced."""
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        place = target.resolve()
        mode = place.stat().st_mode if place.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".assay-", delete=False) as scratch:
            try:
                scratch.write(data)
                scratch.flush()
                os.fsync(scratch.fileno())
                Path(scratch.name).chmod(mode)
                Path(scratch.name).replace(place)
            except BaseException:
                Path(scratch.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=str(target)) from error


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
