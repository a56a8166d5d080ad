from __future__ import annotations

from assay.reports import document as make_document
from assay.reports.table import Table
from assay.results import Findings
from assay.types import Note, NoteKind


def test_for_people_and_programs():
    empty = Note(NoteKind.MISSING, "is empty", "x", severity="error")
    odd = Note(NoteKind.SUSPECT, "has CR", "x", severity="note", line=7, hint="strip it")
    findings = Findings(("x",), (empty, odd))
    document = make_document(findings)
    assert Table().render(document) == (
        "       where  line  what\n"
        "error  x            is empty\n"
        "note   x      7     has CR (strip it)\n"
        "x checked: 1 error, 1 note\n"
    )
    assert all(list(row) == ["severity", "kind", "where", "text", "line", "count", "hint"] for row in document.rows)
    assert set(document.columns) == {"severity", "kind", "where", "text", "line", "count", "hint"}


def test_nothing():
    assert Table().render(make_document(Findings(("x",), ()))) == "x checked: no findings\n"
    assert Table().render(make_document(Findings(("x", "y"), ()))) == "2 files checked: no findings\n"
    assert Table().render(make_document(Findings((), (), ("wmt22",)))) == "wmt22 checked: no findings\n"
    mixed = Findings(("x", "y"), (), ("wmt22",))
    assert Table().render(make_document(mixed)) == "2 files and 1 folder checked: no findings\n"
