from __future__ import annotations

import json
import math

import pytest

from assay.results import (
    DiffSpan,
    Example,
    Examples,
    GroupDifference,
    GroupDifferences,
    NgramDifference,
    NgramDifferences,
    WordCounts,
    WordDiff,
    WordGroup,
    WordGroups,
)
from assay.types import Note, NoteKind

NAN = math.nan
DIFF = WordDiff((DiffSpan("x ", True), DiffSpan("y", False)), (DiffSpan("x", True),))
EXAMPLE = Example(3, None, "d", "q", {"r": "x y", "s": "z"}, "x y", "x", 9.0, 4.0, 5.0, DIFF)
EXAMPLES = Examples("m", "a", "b", (EXAMPLE,), (), 4, notes=(Note(NoteKind.EXCLUDED, "one", count=1),))
GROUPS = GroupDifferences(
    "m",
    "a",
    "b",
    (
        GroupDifference("domain:news", "corpus", 3.0, 1.0, 2.0, 40, is_small=False),
        GroupDifference("domain:chat", "corpus", NAN, NAN, NAN, 0, is_small=True, reason="none"),
    ),
    30,
)
NGRAM = NgramDifference(("old", "house"), 3, 1, 5, 4 / 6, (1, 2), (9,))
NGRAMS = NgramDifferences("a", "b", (), (NGRAM,), 9, {"tok": "13a", "case": "lc"})
WORDS = WordGroups(
    "a",
    "b",
    (
        WordGroup("case:all caps", WordCounts(2, 4, 8), WordCounts(0, 0, 7)),
        WordGroup("frequency:0", WordCounts(0, 4, 0), WordCounts(0, 0, 0)),
    ),
    9,
    {"tok": "13a"},
)


@pytest.mark.parametrize("result", [EXAMPLES, GROUPS, NGRAMS, WORDS])
def test_rows_have_the_columns_and_trees_are_json(result):
    rows = list(result.rows())
    assert rows
    for row in rows:
        assert list(row) == list(result.columns)
        for name, value in row.items():
            assert value is None or type(value) is result.columns[name]
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["notes"] == [n.to_dict() for n in result.notes]
    assert result.first in repr(result)


def test_examples():
    (row,) = EXAMPLES.rows()
    assert (row["better"], row["segment"], row["references"], row["difference"]) == ("a", 3, "x y ||| z", 5.0)
    example = EXAMPLES.to_dict()["best"][0]
    assert example["references"] == {"r": "x y", "s": "z"}
    assert example["diff"]["first"][1] == {"text": "y", "same": False}


def test_groups():
    assert [(row["group"], row["difference"], row["small"]) for row in GROUPS.rows()] == [
        ("domain:news", 2.0, "no"),
        ("domain:chat", None, "yes"),
    ]
    assert GROUPS.to_dict()["groups"][0]["small"] is False


def test_ngrams():
    (row,) = NGRAMS.rows()
    assert (row["better"], row["ngram"], row["order"], row["first_segments"]) == ("b", "old house", 2, "1 2")
    assert NGRAMS.to_dict()["worst"][0]["second_segments"] == [9]
    assert NGRAMS.signature == "tok:13a|case:lc"


def test_word_counts():
    counts = WordCounts(2, 4, 8)
    assert (counts.precision, counts.recall, counts.f_measure) == (0.5, 0.25, pytest.approx(1 / 3))


def test_undefined_word_counts():
    without_output = WordCounts(0, 0, 7)
    assert math.isnan(without_output.precision)
    assert (without_output.recall, without_output.f_measure) == (0, 0)
    without_reference = WordCounts(0, 4, 0)
    assert without_reference.precision == 0
    assert math.isnan(without_reference.recall)
    assert math.isnan(without_reference.f_measure)


def test_word_groups():
    rows = list(WORDS.rows())
    assert [row["system"] for row in rows] == ["a", "b", "a", "b"]
    assert rows[0]["difference"] == pytest.approx(1 / 3)
    assert rows[2]["reason"] == "no such word in the references"
    assert WORDS.to_dict()["groups"][1]["difference"] is None
