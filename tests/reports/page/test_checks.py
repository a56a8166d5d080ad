from __future__ import annotations

from dataclasses import replace

from assay.types import Note, NoteKind
from tests.reports.page.built import built
from tests.store.examples import example


def test_notes_of_all_results_once_and_warnings_first():
    note = Note(NoteKind.EXCLUDED, "two segments left out", "a.de", 2)
    warning = Note(NoteKind.SUSPECT, "looks like a copy", "b.de", severity="warning")
    run = replace(example("score"), notes=(note, warning))
    section, content = built("behind.checks", run, replace(example("compare"), notes=(note,)))["checks"]
    assert section.lede == "1 warning and 1 note."
    assert " ".join(content.text.split()) == "Warning: b.de: looks like a copy. a.de: two segments left out."


def test_a_note_without_a_place_begins_with_a_capital_letter():
    run = replace(example("score"), notes=(Note(NoteKind.EXCLUDED, "left out: refA"),))
    section, content = built("behind.checks", run)["checks"]
    assert section.lede == "1 note."
    assert content.text.strip() == "Left out: refA."


def test_nothing_to_say():
    assert built("behind.checks", replace(example("score"), notes=())) == {}
