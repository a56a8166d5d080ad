"""Problems found in data, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import BLANK, Count, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells
from assay.reports.record_grid import TABLES, record_columns
from assay.results import Findings
from assay.types.note import SEVERITIES, plural

__all__ = ["document"]


def document(findings: Findings) -> Document:
    """One row per finding, and how many there are."""
    return Document.of(findings, lambda: _sections(findings), lists=TABLES, name="Findings in the data")


def _sections(findings: Findings) -> Iterator[Section]:
    if not findings.findings:
        yield Section(title=f"{_checked(findings)} checked: no findings")
        return
    yield Section((Grid.of(_columns(findings), (_summary(findings),)),))


def _columns(findings: Findings) -> Iterator[TitledCells]:
    found = findings.findings
    yield Column("", "left"), [Text(each.severity) for each in found]
    yield Column("where", "left"), [Text(each.where) for each in found]
    yield Column("line", "left"), [BLANK if each.line is None else Count(each.line, grouped=False) for each in found]
    yield (
        Column("what", "left"),
        [Text(each.in_full) for each in found],
    )
    yield from record_columns(findings.columns, found)


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
