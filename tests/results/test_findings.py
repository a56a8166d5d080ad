from __future__ import annotations

from assay.results import Findings
from assay.types import Note, NoteKind


def test_counts():
    empty = Note(NoteKind.MISSING, "empty file", "a", severity="error")
    mark = Note(NoteKind.SUSPECT, "has a mark", "b", count=2, severity="note", line=1, hint="strip it")
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
