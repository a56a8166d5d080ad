"""The formats of the field, one file each, with what reads and, where there is use for it, what writes them.

Dropping a file in here is all it takes: `assay.read`, `assay data` and the tests find it by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from assay.data.text import read_bytes, read_text, shown_path
from assay.errors import ConfigError, InputError
from assay.registry import Registry
from assay.types import Campaign

__all__ = [
    "CERTAIN",
    "LIKELY",
    "NO",
    "POSSIBLE",
    "Format",
    "form",
    "format_by_suffix",
    "format_of",
    "has_suffix",
    "read_campaigns",
    "recognised",
]

NO, POSSIBLE, LIKELY, CERTAIN = range(4)
_HEAD = 1 << 16


class Format(ABC):
    """A way to write test sets, scores or judgements down."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """What names of such files end in; `.gz` may follow."""

    def recognises(self, path: Path, head: str) -> int:
        """How surely a file is of this format, of NO, POSSIBLE, LIKELY, CERTAIN; `head` is how its text begins."""
        return POSSIBLE if has_suffix(path, self.suffixes) else NO

    @abstractmethod
    def read(self, path: Path) -> tuple[Campaign, ...]:
        """What a file holds, a campaign for each test set and language pair. Whatever is wrong is an `InputError`."""

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        """What several files hold. A format whose files are parts of one test set puts them together."""
        return tuple(campaign for path in paths for campaign in self.read(path))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """Write what `read` reads."""
        raise ConfigError(f"{self.name} can be read but not written")


form: Registry[Format] = Registry("format", __name__)


def has_suffix(path: Path, suffixes: Iterable[str]) -> bool:
    """Whether a file's name ends in one of these, before `.gz`."""
    return path.name.lower().removesuffix(".gz").endswith(tuple(suffixes))


def read_campaigns(*paths: str | Path, spec: str | None = None) -> tuple[Campaign, ...]:
    """All that files or folders hold; `spec` names the format, else it is recognised file by file."""
    by_format: dict[Format, list[Path]] = {}
    for path in map(Path, paths):
        by_format.setdefault(form.create(spec) if spec is not None else recognised(path), []).append(path)
    return tuple(campaign for found, places in by_format.items() for campaign in found.read_together(places))


def format_by_suffix(path: Path) -> Format:
    """The format to write a file in."""
    for name in form.names():
        found = form.create(name)
        if type(found).write is not Format.write and has_suffix(path, found.suffixes):
            return found
    raise ConfigError(f"no format is written with the suffix '{path.suffix}'", hint="say which: --to tsv")


def recognised(path: Path) -> Format:
    """The format a file most likely has."""
    found = format_of(path)
    if found is not None:
        return found
    if path.is_dir():
        return form.create("mtme")  # which says what it looked for
    hint = f"assay data convert --form FORMAT reads it as {', '.join(form.names())}"
    if has_suffix(path, (".score", ".txt", ".tsv", ".csv")):
        hint = f"call scores NAME.seg.score or NAME.sys.score, or name the columns of a table; {hint}"
    raise InputError("of no known format", path=shown_path(path), hint=hint)


def format_of(path: Path) -> Format | None:
    """The format a file most likely has; None: it looks like none, so it may be plain text."""
    if not path.exists():
        raise InputError("no such file or directory", path=shown_path(path))
    head = "" if path.is_dir() else read_bytes(path)[:_HEAD].decode("utf-8", errors="replace")
    found = {name: form.create(name).recognises(path, head) for name in form.names()}
    best = max(found.values())
    names = [name for name, certainty in found.items() if certainty == best]
    if best == NO:
        if head and not path.is_dir():
            read_text(path)  # content that is no text at all says so itself
        return None
    if len(names) > 1:
        raise InputError(f"could be {' or '.join(names)}", path=shown_path(path), hint=f"say which: --form {names[0]}")
    return form.create(names[0])
