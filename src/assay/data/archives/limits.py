"""Limits of archives: how much may be unpacked, and which names are safe."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from assay.data.archives.record import RECORD
from assay.errors import printable
from assay.files.sizes import byte_text
from assay.types.names import caseless
from assay.types.runtime import Runtime

__all__ = ["BoundedFile", "Budget", "Damaged", "Limits", "Names", "Unsafe", "flaw_of_name"]

_MAX_READ_BYTES = 1 << 25  # the table of contents of a zip archive is read in one go
_MAX_NAME_BYTES = 255
_PROGRESS_BYTES = 1 << 20
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class Unsafe(Exception):
    """The archive contains something that an archive of data does not need."""


class Damaged(Exception):
    """The archive is corrupt."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be unpacked. Limits apply to the unpacked bytes, whatever the headers say."""

    members: int = 200_000  # files and folders
    total_bytes: int = 16 << 30
    ratio: int = 200  # unpacked bytes per byte of the archive, …
    free_bytes: int = 16 << 20  # … beyond this many bytes
    path_bytes: int = 1024
    depth: int = 16


class BoundedFile(io.BufferedReader):
    """A file that refuses to read too much at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read up to `size` bytes, within the limit."""
        wanted = size if size is not None and size >= 0 else self.size() - self.tell()
        if wanted > _MAX_READ_BYTES:
            raise Unsafe(f"its table of contents claims {byte_text(wanted)}")
        return super().read(wanted)

    def size(self) -> int:
        """The size of the whole file."""
        here = self.tell()
        end = self.seek(0, io.SEEK_END)
        self.seek(here)
        return end


class Budget:
    """How many bytes may still be unpacked."""

    def __init__(self, limits: Limits, file: BoundedFile, task: str, runtime: Runtime | None) -> None:
        self._file, self._task, self._runtime = file, task, runtime or Runtime()
        self._packed, self._used, self._reported = file.size(), 0, 0
        self._total, self._ratio = limits.total_bytes, limits.ratio
        self._by_ratio = max(limits.free_bytes, limits.ratio * self._packed)

    def spend(self, chunk: bytes) -> bytes:
        """The chunk, unless it exceeds the limits."""
        self._used += len(chunk)
        if self._used > self._total:
            raise Unsafe(f"it unpacks to more than {byte_text(self._total)}")
        if self._used > self._by_ratio:
            raise Unsafe(f"it unpacks to more than {self._ratio} times its size")
        if self._used - self._reported > _PROGRESS_BYTES:
            self._reported = self._used
            self._runtime.report(self._task, self._file.tell(), self._packed)
        return chunk


class Names:
    """The names in an archive so far. No two may be the same file on any operating system."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seen: dict[str, tuple[str, bool]] = {}
        self._listed: set[str] = set()

    def add(self, name: str, is_folder: bool) -> tuple[str, ...]:
        """The parts of a safe path; empty for the top folder."""
        parts = self._parts(name, is_folder)
        for depth in range(1, len(parts) + 1):
            path, is_file = "/".join(parts[:depth]), depth == len(parts) and not is_folder
            earlier, was_file = self._seen.setdefault(caseless(path), (path, is_file))
            if (earlier, was_file) != (path, is_file):
                raise Unsafe(
                    f"'{printable(path)}' and '{printable(earlier)}' are the same path on some operating systems"
                )
        listed = "/".join(parts)
        if listed in self._listed:
            raise Unsafe(f"'{printable(listed)}' occurs twice")
        self._listed.add(listed)
        if len(self._seen) > self._limits.members:
            raise Unsafe(f"it contains more than {self._limits.members:,} files and folders")
        return parts

    def _parts(self, full: str, is_folder: bool) -> tuple[str, ...]:
        name = full.removesuffix("/") if is_folder else full
        if is_folder and name == ".":
            return ()
        parts = name.removeprefix("./").split("/")
        flaws = [flaw for part in parts if (flaw := flaw_of_name(part)) is not None]
        if name.startswith("/"):
            flaws = ["it is an absolute path"]
        elif len(name.encode("utf-8", "surrogatepass")) > self._limits.path_bytes or len(parts) > self._limits.depth:
            flaws = ["it is too long or too deep"]
        if flaws:
            raise Unsafe(f"unsafe name '{printable(name[:200])}': {flaws[0]}")
        return tuple(parts)


def flaw_of_name(part: str) -> str | None:
    """Why a file or folder name is unsafe; None if it is safe."""
    flaws = {
        "it has an empty part": not part,
        "it leads out of its folder": part in (".", ".."),
        "it has control characters or undecodable bytes": not part.isprintable(),
        "it has a backslash": "\\" in part,
        "it starts with a drive letter": part[1:2] == ":" and part[:1].isalpha(),
        "it ends in a dot or space": part[-1:] in (".", " "),
        "it is a device name on some operating systems": _DEVICES.fullmatch(part) is not None,
        "it is reserved for Assay's own record": part.casefold() == RECORD,
        "it is too long": len(part.encode("utf-8", "surrogatepass")) > _MAX_NAME_BYTES,
    }
    return next((flaw for flaw, is_so in flaws.items() if is_so), None)
