from __future__ import annotations

import numpy as np

from assay import read
from assay.data.tables.repeated_ratings import exact_copies, rated_again, without_copies
from assay.types import NoteKind
from tests.human.judged import make_ratings

ROWS = [("x", "a", 0, 5.0), ("y", "a", 0, 5.0), ("x", "a", 0, 5.0), ("x", "a", 0, 6.0), ("x", "b", 0, 5.0)]


def test_exact_copies_count_once_and_other_scores_are_noted():
    kept, (copies, again) = without_copies(make_ratings(ROWS))
    assert kept.score.tolist() == [5, 5, 6, 5]
    assert (copies.kind, copies.count, again.kind, again.count) == (NoteKind.DUPLICATE, 1, NoteKind.SUSPECT, 1)
    ratings = make_ratings(ROWS[:2] + ROWS[4:])
    assert without_copies(ratings) == (ratings, ())


def test_ratings_without_a_rater_are_all_different():
    ratings = make_ratings([("unknown", *row) for _, *row in ROWS])
    assert without_copies(ratings) == (ratings, ())


def test_kinds_and_documents_distinguish_ratings():
    kinds = make_ratings(ROWS[:1] * 2, kind=("TGT", "BAD"))
    assert (exact_copies(kinds, np.arange(2)).any(), rated_again(kinds)) == (False, 0)
    documents = make_ratings([("x", "a", -1, 5.0)] * 2, document=("d", "e"))
    assert (exact_copies(documents, np.arange(2)).any(), rated_again(documents)) == (False, 0)


def test_a_table_in_one_file_and_in_two(tmp_path):
    header, row, other = "rater,system,segment,human:ESA\n", "x,A,1,50\n", "x,A,1,60\n"
    (tmp_path / "one.csv").write_text(header + row + row + other)
    (tmp_path / "two.csv").write_text(header + "x,A,1,70\n")
    (campaign,) = read(tmp_path / "one.csv")
    assert campaign.judgements[0].score.tolist() == [50, 60]
    assert [(note.kind, note.count) for note in campaign.notes] == [(NoteKind.DUPLICATE, 1), (NoteKind.SUSPECT, 1)]
    (campaign,) = read(tmp_path / "one.csv", tmp_path / "two.csv")
    assert campaign.judgements[0].score.tolist() == [50, 60, 70]
    counts = [(note.kind, note.count) for note in campaign.notes if note.kind != NoteKind.PROVENANCE]
    assert counts == [(NoteKind.DUPLICATE, 1), (NoteKind.SUSPECT, 1), (NoteKind.SUSPECT, 1)]
