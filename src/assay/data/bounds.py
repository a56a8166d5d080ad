"""How large an archive may be, and what things in it may be called."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from assay.data.folder import RECORD, Progress
from assay.errors import printable
from assay.types.names import caseless

__all__ = ["BoundedFile", "Budget", "Damaged", "Limits", "Names", "Unsafe", "flaw_of_name"]

_MAX_READ_BYTES = 1 << 25  # the table of contents of a zip archive is read at once
_MAX_NAME_BYTES = 255
_PROGRESS_BYTES = 1 << 20
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class Unsafe(Exception):
    """What an archive has no business to hold."""


class Damaged(Exception):
    """An archive that is not as it was made."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large an archive may become. They hold for what comes out, whatever the headers say."""

    members: int = 200_000  # files and folders
    total_bytes: int = 16 << 30
    ratio: int = 200  # bytes out for each byte in, …
    free_bytes: int = 16 << 20  # … beyond this many
    path_bytes: int = 1024
    depth: int = 16


class BoundedFile(io.BufferedReader):
    """A file of which nobody reads too much at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        """As of any file, up to a bound."""
        wanted = size if size is not None and size >= 0 else self.size() - self.tell()
        if wanted > _MAX_READ_BYTES:
            raise Unsafe(f"its table of contents claims to have {wanted:,} bytes")
        return super().read(wanted)

    def size(self) -> int:
        """Of the whole file."""
        here = self.tell()
        end = self.seek(0, io.SEEK_END)
        self.seek(here)
        return end


class Budget:
    """How many bytes may still come out."""

    def __init__(self, limits: Limits, file: BoundedFile, what: str, progress: Progress | None) -> None:
        self._file, self._what, self._progress = file, what, progress
        self._packed, self._used, self._told = file.size(), 0, 0
        self._total, self._ratio = limits.total_bytes, limits.ratio
        self._by_ratio = max(limits.free_bytes, limits.ratio * self._packed)

    def spend(self, piece: bytes) -> bytes:
        """The piece, if it may still come out."""
        self._used += len(piece)
        if self._used > self._total:
            raise Unsafe(f"more than {self._total:,} bytes come out of it")
        if self._used > self._by_ratio:
            raise Unsafe(f"more than {self._ratio} bytes come out of it for each byte in it")
        if self._progress is not None and self._used - self._told > _PROGRESS_BYTES:
            self._told = self._used
            self._progress(self._what, self._file.tell(), self._packed)
        return piece


class Names:
    """The names in an archive so far, in which no two are the same file on any system."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seen: dict[str, tuple[str, bool]] = {}
        self._listed: set[str] = set()

    def add(self, name: str, is_folder: bool) -> tuple[str, ...]:
        """The parts of a path that may be written to; none: it is the top folder."""
        parts = self._parts(name, is_folder)
        for depth in range(1, len(parts) + 1):
            path, is_file = "/".join(parts[:depth]), depth == len(parts) and not is_folder
            earlier, was_file = self._seen.setdefault(caseless(path), (path, is_file))
            if (earlier, was_file) != (path, is_file):
                raise Unsafe(f"'{printable(path)}' and '{printable(earlier)}' are the same place on some systems")
        listed = "/".join(parts)
        if listed in self._listed:
            raise Unsafe(f"'{printable(listed)}' is in it twice")
        self._listed.add(listed)
        if len(self._seen) > self._limits.members:
            raise Unsafe(f"there are more than {self._limits.members:,} files and folders in it")
        return parts

    def _parts(self, full: str, is_folder: bool) -> tuple[str, ...]:
        name = full.removesuffix("/") if is_folder else full
        if is_folder and name == ".":
            return ()
        parts = name.removeprefix("./").split("/")
        flaws = [flaw for part in parts if (flaw := flaw_of_name(part)) is not None]
        if name.startswith("/"):
            flaws = ["it is absolute"]
        elif len(name.encode("utf-8", "surrogatepass")) > self._limits.path_bytes or len(parts) > self._limits.depth:
            flaws = ["it is too long or too deep"]
        if flaws:
            raise Unsafe(f"the name '{printable(name[:200])}': {flaws[0]}")
        return tuple(parts)


def flaw_of_name(part: str) -> str | None:
    """Why a file or folder should not have a name (no path); None: nothing is wrong with it."""
    flaws = {
        "a part of it is empty": not part,
        "it leads out of its folder": part in (".", ".."),
        "it has control characters or bytes that are no text": not part.isprintable(),
        "it has a backslash": "\\" in part,
        "it begins like a drive": part[1:2] == ":" and part[:1].isalpha(),
        "it ends in a dot or space": part[-1:] in (".", " "),
        "it is that of a device on some systems": _DEVICES.fullmatch(part) is not None,
        "it is kept for Assay's own record": part.casefold() == RECORD,
        "it is too long": len(part.encode("utf-8", "surrogatepass")) > _MAX_NAME_BYTES,
    }
    return next((flaw for flaw, is_so in flaws.items() if is_so), None)
