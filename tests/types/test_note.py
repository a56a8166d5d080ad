from assay.types import Note, NoteKind


def test_a_note_reads_as_a_line_and_as_a_tree():
    note = Note(NoteKind.MISSING, "3 ratings have no score", where="ratings.csv", count=3)
    assert str(note) == "ratings.csv: 3 ratings have no score"
    assert str(Note(NoteKind.ADVICE, "use tok=zh")) == "use tok=zh"
    assert note.to_dict() == {
        "kind": "missing",
        "where": "ratings.csv",
        "count": 3,
        "text": "3 ratings have no score",
    }
