"""Findings: what a check of the data reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.result import Result
from assay.types import Note, NoteKind

__all__ = ["SEVERITIES", "Finding", "Findings"]

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "severity": self.severity,
            "kind": str(self.kind),
            "where": self.where,
            "text": self.text,
            "line": self.line,
            "count": self.count,
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class Findings(Result):
    """All findings, errors first, and the files and folders that were checked."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    folders: tuple[str, ...] = ()

    columns: ClassVar[Mapping[str, type]] = {
        "severity": str,
        "kind": str,
        "where": str,
        "text": str,
        "line": int,
        "count": int,
        "hint": str,
    }

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(finding.severity == "error" for finding in self.findings)

    def count(self, severity: str) -> int:
        """The number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row per finding."""
        for finding in self.findings:
            yield finding.to_dict()

    def tree(self) -> dict[str, Any]:
        """The files and folders, the number of findings of each severity, and the findings."""
        return {
            "files": list(self.files),
            "folders": list(self.folders),
            "counts": {severity: self.count(severity) for severity in SEVERITIES},
            "findings": list(self.rows()),
        }
