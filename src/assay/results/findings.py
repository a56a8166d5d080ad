"""Findings: what a check of the data reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Unit, text_columns
from assay.results.result import Result
from assay.types import Note, NoteKind
from assay.types.record import OMITTED, Record

__all__ = ["SEVERITIES", "Finding", "Findings"]

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding(Record):
    """A note with a severity: an error makes the data unusable, a warning its numbers doubtful, a note is a fact.

    `where` is a file, campaign or system; `line` is the first line concerned, `count` the number of things.
    """

    severity: str
    kind: NoteKind
    where: str
    text: str
    line: int | None = None
    count: int | None = None
    hint: str | None = None

    @classmethod
    def of(cls, note: Note, where: str) -> Finding:
        """A note as a finding; `where` is used if the note does not say it."""
        return cls(note.severity, note.kind, note.where or where, note.text, count=note.count)

    @property
    def note(self) -> Note:
        """The finding as a note on a result, with the line and the hint in its texts; an error is a warning there."""
        text = self.text if self.hint is None else f"{self.text} ({self.hint})"
        where = self.where if self.line is None else f"{self.where}, line {self.line:,}"
        return Note(self.kind, text, where, self.count, "note" if self.severity == "note" else "warning")


@dataclass(frozen=True, slots=True)
class Findings(Result):
    """All findings, errors first, and the files and folders that were checked."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...] = field(metadata=OMITTED)
    folders: tuple[str, ...] = ()

    made_by: ClassVar[str] = "data check"
    derived: ClassVar[tuple[str, ...]] = ("counts",)
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("severity", "kind", "where", "text")),
        ResultColumn("line", int, unit=Unit.ORDINAL, help="The first line concerned."),
        ResultColumn("count", int, help="The number of things concerned."),
        ResultColumn("hint", help="What to do."),
    )

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(finding.severity == "error" for finding in self.findings)

    def count(self, severity: str) -> int:
        """The number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each severity."""
        return {severity: self.count(severity) for severity in SEVERITIES}

    def records(self) -> tuple[Finding, ...]:
        """One per finding."""
        return self.findings
