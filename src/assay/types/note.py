"""Notes: what a reader should know about data or a result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Note", "NoteKind"]


class NoteKind(StrEnum):
    """What a note is about. Code acts on the kind, never on the text."""

    EXCLUDED = "excluded"
    """Systems, segments, judgements or metrics that were left out."""
    MISSING = "missing"
    """Values that should be there and are not."""
    CHANGED = "changed"
    """Something altered while reading: byte order marks, carriage returns, quotation marks."""
    KEPT = "kept"
    """Something unusual that was read as it is: byte order marks or quotation marks in texts."""
    UNREAD = "unread"
    """Columns, fields or files that were not read."""
    DUPLICATE = "duplicate"
    """The same thing more than once."""
    SUSPECT = "suspect"
    """Data that looks wrong: misaligned, copied, or named almost alike."""
    UNDEFINED = "undefined"
    """Values that could not be computed."""
    ADVICE = "advice"
    """A better choice of options."""
    PROVENANCE = "provenance"
    """Where a value came from or how it was computed."""


@dataclass(frozen=True, slots=True)
class Note:
    """One fact. `where` is a file, language pair, metric or system; `count` says how many things it is about."""

    kind: NoteKind
    text: str
    where: str = ""
    count: int | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"kind": str(self.kind), "where": self.where, "count": self.count, "text": self.text}
