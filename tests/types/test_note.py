from assay.errors import option_name
from assay.types import Note, NoteKind
from assay.types.note import alike_as_one, listed, plural


def test_a_note_reads_as_a_line_and_as_a_tree():
    note = Note(NoteKind.MISSING, "3 ratings have no score", where="ratings.csv", count=3)
    assert str(note) == "ratings.csv: 3 ratings have no score"
    assert str(Note(NoteKind.ADVICE, "use tok=zh")) == "use tok=zh"
    assert note.to_dict() == {
        "severity": "note",
        "kind": "missing",
        "where": "ratings.csv",
        "count": 3,
        "text": "3 ratings have no score",
    }
    placed = Note(NoteKind.SUSPECT, "odd", line=1108, hint="mend it").at("elm.de")
    assert str(placed) == "elm.de, line 1108: odd (mend it)"
    assert placed.at("other") is placed
    assert {"line": 1108, "hint": "mend it"}.items() <= placed.to_dict().items()


def test_digits_of_names_are_no_numbers():
    """Notes on two systems stay two, and a range of numbers is one of counts."""
    systems = [Note(NoteKind.EXCLUDED, f"left out: {name}, B", lp) for lp, name in (("de-en", "F.2"), ("fr-en", "F.9"))]
    assert alike_as_one(systems) == tuple(systems)
    counts = [
        Note(NoteKind.EXCLUDED, f"left out: {count}, of 9", lp) for lp, count in (("de-en", "1,002"), ("fr-en", "3"))
    ]
    (note,) = alike_as_one(counts)
    assert note.text == "left out: 3 to 1,002, of 9"


def test_plurals():
    assert (plural(0, "rating"), plural(1, "rating"), plural(1200, "rating")) == (
        "0 ratings",
        "1 rating",
        "1,200 ratings",
    )


def test_lists_of_names():
    assert (listed([]), listed("ab"), listed("abcde")) == ("", "a, b", "a, b, c and 2 more")
    assert listed("abc", 1) == "a and 2 more"


def test_options_are_spelled_as_in_errors():
    assert Note(NoteKind.ADVICE, f"use {option_name('cells', 'common')}").text == 'use cells="common"'
