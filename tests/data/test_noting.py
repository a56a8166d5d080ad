from __future__ import annotations

import numpy as np

from assay.data.noting import gap_notes, score_notes, unread_note
from assay.types import Rankings, Ratings, ScoreTable


def test_columns_that_nobody_reads():
    assert unread_note("t.tsv", []) == ()
    assert unread_note("t.tsv", ["mood ", "\x1b[2J", ""]) == (
        r"t.tsv: columns that were not read: mood, \x1b[2J, one without name",
    )
    (note,) = unread_note("t.jsonl", [f"k{i}" for i in range(60)], "fields")
    assert note.startswith("t.jsonl: fields that were not read: k0, k1")
    assert note.endswith("k49 and 10 more")


def test_ratings_without_a_score():
    ratings = Ratings("da", "DA", ("r",), ("a",), [0, 0], [0, 0], [0, 1], [50, np.nan], origin="da.tsv")
    assert list(gap_notes(ratings)) == ["da.tsv: 1 of 2 ratings have no score"]
    assert list(gap_notes(ratings.where(~np.isnan(ratings.score)))) == []


def test_outputs_without_a_rank():
    ranks, shown = [[1, 2, 0], [0, 0, 0], [0, 1, 2]], [[1, 2, 3], [1, 2, 0], [0, 1, 2]]
    rankings = Rankings("rr", ("a", "b", "c"), ("j",), [0] * 3, [0] * 3, ranks, "rr.tsv", output=np.array(shown))
    assert list(gap_notes(rankings)) == [
        "rr.tsv: 3 of 7 outputs that judges saw have no rank, and 1 of 3 rankings rank nothing"
    ]
    pairs = Rankings("rr", ("a", "b"), ("j",), [0], [0], [[1, 2]])
    assert list(gap_notes(pairs)) == []
    nothing = Rankings("rr", ("a",), ("j",), [0], [0], [[0]], "rr.tsv", output=np.array([[0]]))
    assert list(gap_notes(nothing)) == ["rr.tsv: 1 of 1 rankings rank nothing"]


def test_scores_that_are_missing():
    def table(name, systems, references=(), level="system"):
        return ScoreTable(name, level, systems, [[1.0]] * len(systems), f"x/{name}.score", references=references)

    systems, references = ("a", "b", "refA", "refB"), {"refA", "refB"}
    tables = [
        table("one", ("a", "refB"), ("refA",)),  # lacks b; refA was what it was given
        table("two", ("a",), ("all",)),
        table("three", ("a", "b"), ("refB",)),
        table("four", ("a", "b", "refA")),
        ScoreTable("five", "segment", ("a", "b", "refA", "refB"), np.full((4, 2), np.nan), "x/five.score"),
    ]
    assert list(score_notes(tables, systems, references)) == [
        "no scores for b in one.score and 1 more",
        "references that are among the outputs, and are not scored: refA by 1, refB by 1 of 5 metric files",
        "five.score: 8 gaps",
    ]
    human = ScoreTable("mqm", "system", ("a",), [[1.0]], protocol="MQM")
    assert list(score_notes([human], systems, references)) == []
