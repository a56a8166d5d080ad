from __future__ import annotations

from assay.results import SEVERITIES, Finding, Findings
from assay.types import Note, NoteKind


def test_counts():
    empty = Finding("error", NoteKind.MISSING, "a", "empty file")
    mark = Finding("note", NoteKind.SUSPECT, "b", "has a mark", 1, 2, "strip it")
    found = Findings(("a", "b"), (empty, mark))
    assert found.has_errors
    assert (found.count("error"), found.count("warning"), found.count("note")) == (1, 0, 1)
    tree = found.to_dict()
    assert (tree["counts"], tree["files"]) == ({"error": 1, "warning": 0, "note": 1}, ["a", "b"])
    assert tree["rows"][1] == {
        "severity": "note",
        "kind": "suspect",
        "where": "b",
        "text": "has a mark",
        "line": 1,
        "count": 2,
        "hint": "strip it",
    }
    assert not Findings((), ()).has_errors


def test_findings_and_notes_keep_their_severity():
    severities = {severity: Finding(severity, NoteKind.SUSPECT, "a", "odd").note.severity for severity in SEVERITIES}
    assert severities == {"error": "warning", "warning": "warning", "note": "note"}
    assert Finding.of(Note(NoteKind.SKIPPED, "2 rows", severity="warning"), "a").severity == "warning"
