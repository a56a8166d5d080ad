"""Notes: what a reader should know about data or a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from assay.errors import printable, spelled
from assay.types.record import Record

__all__ = ["Note", "NoteKind", "listed", "notes_of_pairs", "plural", "warnings_among", "with_warnings"]

_MAX_WARNINGS = 3  # below a representation


class NoteKind(StrEnum):
    """What a note is about. Code acts on the kind, never on the text."""

    EXCLUDED = "excluded"
    """Systems, segments, judgements or metrics that were left out."""
    MISSING = "missing"
    """Values that should be there and are not."""
    CHANGED = "changed"
    """Something altered while reading: byte order marks, carriage returns, quotation marks."""
    JOINED = "joined"
    """Texts of several lines that became one. Reading strictly refuses them."""
    KEPT = "kept"
    """Something unusual that was read as it is: byte order marks or quotation marks in texts."""
    SKIPPED = "skipped"
    """Single faulty rows of a file, or faulty files of a folder, that were not read. Reading strictly refuses them."""
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
class Note(Record):
    """One fact. `where` is a file, language pair, metric or system; `count` says how many things it is about.

    The severity is `warning` if the fact makes data or numbers doubtful, else `note`.
    Options in the text are spelled as in errors.
    """

    kind: NoteKind
    text: str
    where: str = ""
    count: int | None = None
    severity: str = "note"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", spelled(self.text))

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


def warnings_among(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes that make data or numbers doubtful, each once."""
    return tuple(dict.fromkeys(note for note in notes if note.severity == "warning"))


def with_warnings(text: str, warnings: Sequence[Note]) -> str:
    """A representation, and below it the number of warnings and the first of them."""
    if not warnings:
        return text
    more = len(warnings) - _MAX_WARNINGS
    first = (f"  {printable(str(note))}" for note in warnings[:_MAX_WARNINGS])
    rest = [f"  and {more:,} more: see .warnings"] if more > 0 else []
    return "\n".join((text, f"{plural(len(warnings), 'warning')}:", *first, *rest))


def notes_of_pairs(notes: Iterable[tuple[str, Iterable[Note]]]) -> tuple[Note, ...]:
    """Each note once, with all the language pairs it applies to."""
    labels: dict[Note, dict[str, None]] = {}
    for label, pair_notes in notes:
        for note in pair_notes:
            labels.setdefault(note, {})[label] = None
    return tuple(replace(note, where=", ".join(filter(None, (*pairs, note.where)))) for note, pairs in labels.items())


def plural(count: int, noun: str) -> str:
    """`1 rating`, `1,200 ratings`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(names: Iterable[str], limit: int = 3) -> str:
    """The first names, and how many more there are: `A, B, C and 2 more`."""
    all_names = list(names)
    more = f" and {len(all_names) - limit:,} more" if len(all_names) > limit else ""
    return ", ".join(all_names[:limit]) + more
