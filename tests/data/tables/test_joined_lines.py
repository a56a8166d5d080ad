from __future__ import annotations

from assay.data.tables.joined_lines import JoinedLines
from assay.types import NoteKind


def test_lines_are_joined_and_counted():
    joined = JoinedLines("t.csv")
    assert joined.join("one line", 2) == "one line"
    assert list(joined.notes()) == []
    assert joined.join("\na \n\n b\tc\r\nd\n", 3) == "a b\tc d"
    assert joined.join("\n", 9) == ""
    (note,) = joined.notes()
    assert (note.kind, note.count, note.where) == (NoteKind.JOINED, 2, "t.csv")
    assert note.text.startswith("2 cells with 6 line breaks, first in line 3")
