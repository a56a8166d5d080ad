"""Findings: what a check of the data reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Unit, text_columns
from assay.results.result import Result
from assay.types import Note
from assay.types.note import SEVERITIES
from assay.types.record import OMITTED

__all__ = ["Findings"]


@dataclass(frozen=True, slots=True)
class Findings(Result):
    """All findings, errors first, and the files and folders that were checked."""

    files: tuple[str, ...]
    findings: tuple[Note, ...] = field(metadata=OMITTED)
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

    def records(self) -> tuple[Note, ...]:
        """One per finding."""
        return self.findings
