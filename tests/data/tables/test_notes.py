from __future__ import annotations

import numpy as np

from assay.data.tables.notes import gap_notes, missing_score_notes, table_gap_notes, unread_notes
from assay.types import Note, NoteKind, Rankings, Ratings, ScoreTable


def test_unused_columns():
    assert unread_notes("t.tsv", []) == ()
    assert unread_notes("t.tsv", ["mood ", "\x1b[2J", ""]) == (
        Note(NoteKind.UNREAD, r"unused columns: mood, \x1b[2J, (unnamed)", "t.tsv", 3),
    )
    (note,) = unread_notes("t.jsonl", [f"k{i}" for i in range(60)], "field")
    assert note.text.startswith("unused fields: k0, k1")
    assert note.text.endswith("k49 and 10 more")
    assert note.count == 60
    (note,) = unread_notes("t.csv", ["Start", "end", "mood"])
    assert note.text.endswith("mood (if these are places of marked errors, the column 'severity' is missing)")
    (note,) = unread_notes("t.csv", ["start", "end", "severity"])
    assert note.text == "unused columns: start, end, severity"


def test_ratings_without_a_score():
    ratings = Ratings("da", "DA", ("r",), ("a",), [0, 0], [0, 0], [0, 1], [50, np.nan], origin="da.tsv")
    assert list(gap_notes(ratings)) == [Note(NoteKind.MISSING, "1 of 2 ratings without a score", "da.tsv", 1)]
    assert list(gap_notes(ratings.where(~np.isnan(ratings.score)))) == []


def test_outputs_without_a_rank():
    ranks, shown = [[1, 2, 0], [0, 0, 0], [0, 1, 2]], [[1, 2, 3], [1, 2, 0], [0, 1, 2]]
    rankings = Rankings("rr", ("a", "b", "c"), ("j",), [0] * 3, [0] * 3, ranks, "rr.tsv", output=np.array(shown))
    assert list(gap_notes(rankings)) == [
        Note(NoteKind.MISSING, "3 of 7 judged outputs without a rank", "rr.tsv", 3),
        Note(NoteKind.MISSING, "1 of 3 rankings without any rank", "rr.tsv", 1),
    ]
    pairs = Rankings("rr", ("a", "b"), ("j",), [0], [0], [[1, 2]])
    assert list(gap_notes(pairs)) == []
    empty = Rankings("rr", ("a",), ("j",), [0], [0], [[0]], "rr.tsv", output=np.array([[0]]))
    assert [*map(str, gap_notes(empty))] == ["rr.tsv: 1 of 1 ranking without any rank"]


def test_missing_scores():
    def table(name, systems, references=(), level="system"):
        return ScoreTable(name, level, systems, [[1.0]] * len(systems), f"x/{name}.score", references=references)

    systems, references = ("a", "b", "refA", "refB"), {"refA", "refB"}
    tables = [
        table("one", ("a", "refB"), ("refA",)),  # lacks b; refA is the reference it used
        table("two", ("a",), ("all",)),
        table("three", ("a", "b"), ("refB",)),
        table("four", ("a", "b", "refA")),
        ScoreTable("five", "segment", ("a", "b", "refA", "refB"), np.full((4, 2), np.nan), "x/five.score"),
    ]
    assert list(missing_score_notes(tables, systems, references)) == [
        Note(NoteKind.MISSING, "no scores for b in one.score and 1 other metric file", count=1),
        Note(NoteKind.MISSING, "references without scores: refA in 1, refB in 1 of 5 metric files", count=2),
        Note(NoteKind.MISSING, "five by segment: 8 of 8 scores missing", "five.score", 8),
    ]
    human = ScoreTable("mqm", "system", ("a",), [[1.0]], protocol="MQM")
    assert list(missing_score_notes([human], systems, references)) == []
    assert list(table_gap_notes(tables[:4])) == []
    assert [note.where for note in table_gap_notes(tables)] == ["five.score"]
