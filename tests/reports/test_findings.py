from __future__ import annotations

from assay.reports.findings import FindingsDocument
from assay.reports.table import Table
from assay.results import Finding, Findings


def test_for_people_and_programs():
    findings = Findings(("x",), (Finding("error", "x", "is empty"), Finding("note", "x", "has CR", 7, "strip it")))
    document = FindingsDocument(findings)
    assert Table().render(document) == (
        "       where  line  what\n"
        "error  x            is empty\n"
        "note   x      7     has CR (strip it)\n"
        "1 looked at: 1 error, 0 warnings, 1 note\n"
    )
    assert all(list(row) == ["severity", "where", "what", "line", "hint"] for row in document.rows())
    assert set(document.columns) == {"severity", "where", "what", "line", "hint"}


def test_nothing():
    assert "1 looked at: nothing to report" in Table().render(FindingsDocument(Findings(("x",), ())))
