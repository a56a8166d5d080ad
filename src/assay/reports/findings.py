"""What a look at the data found, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.reports.document import Document, Grid, Section
from assay.results import SEVERITIES, Findings

__all__ = ["FindingsDocument"]


@dataclass(frozen=True)
class FindingsDocument(Document):
    """A row for each finding, and how many there are."""

    findings: Findings

    columns: ClassVar = {"severity": str, "where": str, "what": str, "line": int, "hint": str}

    def sections(self) -> Iterator[Section]:
        """One grid."""
        rows = tuple(
            (
                found.severity,
                found.where,
                "" if found.line is None else str(found.line),
                found.what + _aside(found.hint),
            )
            for found in self.findings.findings
        )
        looked_at = len(self.findings.looked_at)
        counts = ", ".join(_counted(self.findings.count(severity), severity) for severity in SEVERITIES)
        remark = f"{looked_at} looked at: {counts}" if rows else f"{looked_at} looked at: nothing to report"
        yield Section((Grid(("", "where", "line", "what"), rows, labels=4, remarks=(remark,)),))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each finding."""
        return self.findings.rows()

    def tree(self) -> dict[str, Any]:
        """The schema is in docs/formats.md."""
        return self.findings.to_dict()


def _counted(count: int, severity: str) -> str:
    return f"{count} {severity}{'' if count == 1 else 's'}"


def _aside(hint: str | None) -> str:
    return "" if hint is None else f" ({hint})"
