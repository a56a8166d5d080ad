from __future__ import annotations

import numpy as np
import pytest

from assay.human.notes import dependent_segments, few_documents, few_judgements, missing_segments, too_few_resamples
from assay.significance.corrections import CORRECTIONS, corrected
from assay.types import ScoreTable, TestSet
from tests.human.judged import make_rankings, make_ratings


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("pairs", [1, 6, 435])
def test_as_many_resamples_as_the_note_says_are_needed(correction, pairs):
    (note,) = too_few_resamples(0.1, pairs, correction, 0.05)
    needed = int(str(note).rpartition("at least ")[2].split()[0].replace(",", ""))
    for resamples, is_enough in ((needed - 1, False), (needed, True)):
        smallest = corrected(np.full(pairs, 1 / (1 + resamples)), correction).min()
        assert (smallest < 0.05 - 1e-12) == is_enough  # one resample less may be exactly alpha
    assert list(too_few_resamples(1 / (1 + needed), pairs, correction, 0.05)) == []
    assert list(too_few_resamples(0.0, pairs, correction, 0.05)) == []


def test_nothing_to_compare():
    assert list(too_few_resamples(1.0, 0, "none", 0.05)) == []


def test_few_judgements():
    assert list(few_judgements(np.array([30, 31]), "scores")) == []
    (note,) = few_judgements(np.array([29, 31]), "comparisons")
    assert str(note).startswith("1 system with fewer than 30 comparisons (fewest: 29)")


def test_missing_segments_are_those_of_other_systems():
    values = np.array([[1.0, np.nan, np.nan], [1.0, 2.0, np.nan]])
    assert missing_segments(ScoreTable("da", "segment", ("a", "b"), values, protocol="DA")).tolist() == [1, 0]


def test_documents_of_named_items_and_of_rankings():
    texts = ("text",) * 4
    known = {"documents": ("d", "d", "e", "f"), "domains": ("news",) * 4, "items": tuple("pqrs")}
    testset = TestSet(outputs={"a": texts}, references={}, **known)
    named = make_ratings([("x", "a", 0, 5.0), ("x", "a", 1, 5.0)], items=("q", "r"))
    assert [note.count for note in few_documents(named, testset)] == [2]
    assert [note.count for note in few_documents(make_rankings([[1, 2]], segments=[3]), testset)] == [1]
    assert list(few_documents(make_rankings([[1, 2]] * 4), testset)) == []
    assert list(few_documents(named, None)) == []
    unknown = TestSet(outputs={"a": texts}, references={}, documents=("unknown", "unknown-1") * 2, items=tuple("pqrs"))
    assert list(few_documents(named, unknown)) == []  # how many documents there are is not known


def test_documents_called_unknown_are_not_known():
    ratings = make_ratings([("x", "a", 0, 5.0), ("x", "a", 1, 5.0)], document=("unknown-1", "unknown-1"))
    assert list(few_documents(ratings, None)) == []


def test_segments_of_a_document_are_not_independent():
    """With documents as units, the errors of their segments add up: five equal segments are worth one."""
    random = np.random.Generator(np.random.PCG64(1))
    by_document = np.repeat(50 + random.normal(size=(2, 40)), 5, axis=1)
    documents = tuple(f"d{k // 5}" for k in range(200))
    testset = TestSet(outputs={"a": ("x",) * 200}, references={}, documents=documents)
    table = ScoreTable("h", "segment", ("a", "b"), by_document, protocol="DA")
    (note,) = dependent_segments(table, testset)
    assert note.count == 40
    assert "with the 40 documents as units, standard errors of the means are 2.2 times as large" in str(note)  # √5
    independent = ScoreTable("h", "segment", ("a", "b"), 50 + random.normal(size=(2, 200)), protocol="DA")
    assert 'prefer unit="document"' in note.text
    assert list(dependent_segments(independent, testset)) == []
    assert list(dependent_segments(table, None)) == []
    singles = TestSet(outputs={"a": ("x",) * 200}, references={}, documents=tuple(map(str, range(200))))
    assert list(dependent_segments(table, singles)) == []
    rows = [("x", "a", k, float(by_document[0, k])) for k in range(200)]
    rated = make_ratings(rows, document=tuple(f"{name}#a" for name in documents))
    assert [note.count for note in dependent_segments(rated, None)] == [40]
