"""What a look at the data found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from assay.results.scores import SCHEMA_VERSION

__all__ = ["SEVERITIES", "Finding", "Findings"]

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """An error keeps the data from being used, a warning makes its numbers doubtful, a note is a fact."""

    severity: str
    where: str
    what: str
    line: int | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found, errors first, and how much was looked at."""

    looked_at: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether anything keeps the data from being used."""
        return any(finding.severity == "error" for finding in self.findings)

    def count(self, severity: str) -> int:
        """How many findings there are of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a finding."""
        for finding in self.findings:
            yield asdict(finding)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "version": SCHEMA_VERSION,
            "looked_at": list(self.looked_at),
            **{f"{severity}s": self.count(severity) for severity in SEVERITIES},
            "findings": list(self.rows()),
        }
