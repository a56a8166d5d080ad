"""Problems found in data, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import BLANK, Cell, Count, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import SEVERITIES, Finding, Findings
from assay.types.note import plural

__all__ = ["document"]


def document(findings: Findings) -> Document:
    """One row per finding, and how many there are."""
    return Document.of(findings, lambda: _sections(findings), name="Findings in the data")


def _sections(findings: Findings) -> Iterator[Section]:
    if not findings.findings:
        yield Section(title=f"{_checked(findings)} checked: no findings")
        return
    rows = tuple(_row(finding) for finding in findings.findings)
    yield Section((Grid(columns(("", "where", "line", "what"), labels=4), rows, (_summary(findings),)),))


def _row(finding: Finding) -> tuple[Cell, ...]:
    line = BLANK if finding.line is None else Count(finding.line, grouped=False)
    hint = "" if finding.hint is None else f" ({finding.hint})"
    return Text(finding.severity), Text(finding.where), line, Text(finding.text + hint)


def _summary(findings: Findings) -> Caption:
    counts = {severity: count for severity in SEVERITIES if (count := findings.count(severity))}
    names = (f"{{}} {severity}{'' if count == 1 else 's'}" for severity, count in counts.items())
    values = (Count(count, grouped=False) for count in counts.values())
    return Caption("{} checked: " + ", ".join(names), (Text(_checked(findings)), *values))


def _checked(findings: Findings) -> str:
    """The only file or folder by its name, several by their number."""
    paths = (*findings.files, *findings.folders)
    if len(paths) == 1:
        return paths[0]
    counts = {"file": len(findings.files), "folder": len(findings.folders)}
    return " and ".join(plural(count, noun) for noun, count in counts.items() if count)
