from __future__ import annotations

import numpy as np

from assay.types import Campaign, NoteKind, ScoreTable, TestSet
from assay.types.score_checks import identical_metrics, unknown_references

SCORES = np.array([[1.0, 2.0], [3.0, np.nan]])


def table(name, references=("refA",), values=SCORES, level="segment", systems=("x", "y"), **rest):
    return ScoreTable(name, level, systems, values, references=references, origin=f"{name}.score", **rest)


def test_references_that_the_test_set_does_not_have():
    tables = [table("A"), table("B", ("refZ",)), table("C", ("refZ",)), table("D", ()), table("E", ("refA", "refY"))]
    two, one = unknown_references(tables, ["refA", "refB"])
    assert (two.kind, two.severity, two.where, two.count) == (NoteKind.SUSPECT, "warning", "B.score and 1 more", 2)
    assert two.text == (
        "B, C name the reference refZ, which the test set does not have (known: refA, refB): they are left out where "
        "another reference is chosen"
    )
    assert one.text.startswith("E names the reference refY, ")
    assert not list(unknown_references(tables, ["refA", "refY"], outputs=["refZ"]))  # judged like a system
    assert not list(unknown_references(tables, []))  # a test set without references cannot tell
    assert not list(unknown_references([table("A", ("all",)), table("B", ("unknown",))], ["refA"]))


def test_the_same_scores_under_two_names():
    other = table("Copy", values=SCORES[::-1], systems=("y", "x"))
    (note,) = identical_metrics([table("A"), other, table("B", values=SCORES + 1e-12)])
    assert (note.kind, note.severity, note.count) == (NoteKind.DUPLICATE, "note", 2)
    assert note.text == "exactly the same segment scores under different names: A-refA, Copy-refA"
    levels = [table(name, values=SCORES[:, :1], level="system") for name in ("A", "Copy")]
    (note,) = identical_metrics([table("A"), other, *levels])
    assert "the same segment and system scores" in note.text


def test_scores_that_are_the_same_by_chance():
    constant = np.zeros((2, 2))
    assert not list(identical_metrics([table("A", values=constant), table("B", values=constant)]))
    assert not list(identical_metrics([table("A", values=constant * np.nan), table("B", values=constant * np.nan)]))
    assert not list(identical_metrics([table("A", protocol="MQM", references=()), table("B", ())]))


def test_results_say_so():
    texts = TestSet(outputs={"x": ("a", "b"), "y": ("a", "c")}, references={"refA": ("a", "b")})
    campaign = Campaign(
        "wmt", "en-de", 2, ("x", "y"), ("refA",), texts, (table("A"), table("B", ("refZ",)), table("C"))
    )
    assert [note.kind for note in campaign.reading_notes] == [NoteKind.SUSPECT, NoteKind.DUPLICATE]
