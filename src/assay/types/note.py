"""Notes: what a reader should know about data or a result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from assay.errors import printable, spelled
from assay.types.record import Record, in_tree

__all__ = [
    "SEVERITIES",
    "Note",
    "NoteKind",
    "alike_as_one",
    "listed",
    "notes_of_pairs",
    "plural",
    "verb_for",
    "warnings_among",
    "with_warnings",
]

SEVERITIES = ("error", "warning", "note")

_MAX_WARNINGS = 3  # below a representation
_NUMBER = r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
_NUMBERS = re.compile(rf"(?<![\w.-]){_NUMBER}(?: to {_NUMBER})?(?!\w)")  # no digits of names, such as FDA.2867


class NoteKind(StrEnum):
    """What a note is about. Code acts on the kind, never on the text, which only `alike_as_one` compares."""

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
    NOTHING = "nothing"
    """That a result has not a single value, and why."""
    ADVICE = "advice"
    """A better choice of options."""
    IN_SAMPLE = "in-sample"
    """Data that a metric was learnt from: how well it does there says little about other data."""
    PROVENANCE = "provenance"
    """Where a value came from or how it was computed."""


@dataclass(frozen=True, slots=True)
class Note(Record):
    """One fact. `where` is a file, language pair, metric or system; `count` says how many things it is about.

    An error makes data unusable, a warning makes them or the numbers doubtful, a note is a fact. `line` is the first
    line concerned, `example` what it has (never part of the text, so that it can be left out), `hint` what to do.
    Options in the texts are spelled as in errors.
    """

    kind: NoteKind
    text: str
    where: str = ""
    count: int | None = None
    severity: str = "note"
    line: int | None = field(default=None, metadata=in_tree(optional=True))
    hint: str | None = field(default=None, metadata=in_tree(optional=True))
    example: str | None = field(default=None, metadata=in_tree(optional=True))

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", spelled(self.text))
        if self.hint is not None:
            object.__setattr__(self, "hint", spelled(self.hint))

    def __str__(self) -> str:
        return f"{self.place}: {self.in_full}" if self.place else self.in_full

    @property
    def place(self) -> str:
        """`elm.de, line 1108`."""
        return ", ".join(filter(None, (self.where, "" if self.line is None else f"line {self.line}")))

    @property
    def in_full(self) -> str:
        """The text with its example, and what to do in parentheses."""
        text = self.text if self.example is None else f"{self.text}: “{self.example}”"
        return text if self.hint is None else f"{text} ({self.hint})"

    def at(self, where: str) -> Note:
        """The note with the place that it is about, if it does not say it."""
        return self if self.where else replace(self, where=where)


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


def alike_as_one(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes on several things that differ only in numbers and examples as one, with the range of each number."""
    groups: dict[tuple[str, ...], dict[Note, None]] = {}
    for note in notes:
        text = _NUMBERS.sub("#", note.text)
        group = (note.severity, note.kind, text, note.hint or "", "" if note.where else note.text)
        groups.setdefault(group, {})[note] = None
    return tuple(_as_one(list(group)) for group in groups.values())


def _as_one(notes: Sequence[Note]) -> Note:
    wheres = list(dict.fromkeys(note.where for note in notes))
    if len(notes) == 1 or not wheres[0]:
        return notes[0]
    text = _with_ranges([note.text for note in notes])
    return replace(notes[0], text=text, where=listed(wheres, 1), count=None, line=None)


def _with_ranges(texts: Sequence[str]) -> str:
    """Texts that differ only in numbers as one text: `1 line` and `3 to 5 line` are `1 to 5 line`."""
    columns = zip(*(_NUMBERS.findall(text) for text in texts), strict=True)
    ranges = iter([_range_of([end for number in column for end in number.split(" to ")]) for column in columns])
    return _NUMBERS.sub(lambda _: next(ranges), texts[0])


def _range_of(numbers: Sequence[str]) -> str:
    ordered = sorted(numbers, key=lambda number: float(number.replace(",", "")))
    return ordered[0] if ordered[0] == ordered[-1] else f"{ordered[0]} to {ordered[-1]}"


def plural(count: int, noun: str) -> str:
    """`1 rating`, `1,200 ratings`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def verb_for(count: int, singular: str, several: str) -> str:
    """The form of a verb that goes with a number of things: `is` or `are`, `has` or `have`."""
    return singular if count == 1 else several


def listed(names: Iterable[str], limit: int = 3) -> str:
    """The first names, and how many more there are: `A, B, C and 2 more`."""
    all_names = list(names)
    more = f" and {len(all_names) - limit:,} more" if len(all_names) > limit else ""
    return ", ".join(all_names[:limit]) + more
