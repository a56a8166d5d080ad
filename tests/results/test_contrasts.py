from __future__ import annotations

import json
import math
from dataclasses import fields

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
EXAMPLES = Examples("a", "b", "m", (EXAMPLE,), (), 4, notes=(Note(NoteKind.EXCLUDED, "one", count=1),))
GROUPS = GroupDifferences(
    "a",
    "b",
    "m",
    (
        GroupDifference("domain", "news", "corpus", 3.0, 1.0, 2.0, 40, is_small=False),
        GroupDifference("domain", "chat", "corpus", NAN, NAN, NAN, 0, is_small=True, reason="none"),
    ),
    30,
)
NGRAM = NgramDifference(("old", "house"), 3, 1, 5, 4 / 6, (1, 2), (9,))
NGRAMS = NgramDifferences("a", "b", 9, {"tok": "13a", "case": "lc"}, (), (NGRAM,))
WORDS = WordGroups(
    "a",
    "b",
    9,
    {"tok": "13a"},
    (
        WordGroup("case:all caps", WordCounts(2, 4, 8), WordCounts(0, 0, 7)),
        WordGroup("frequency:0", WordCounts(0, 4, 0), WordCounts(0, 0, 0)),
    ),
)


@pytest.mark.parametrize("contrast", [EXAMPLES, GROUPS, NGRAMS, WORDS])
def test_they_are_values_for_json(contrast):
    tree = json.loads(json.dumps(contrast.to_dict(), allow_nan=False))
    assert (tree["first"], tree["second"]) == ("a", "b")
    assert contrast == type(contrast)(**{f.name: getattr(contrast, f.name) for f in fields(contrast)})


@pytest.mark.parametrize("contrast", [EXAMPLES, GROUPS, NGRAMS, WORDS])
def test_the_other_way_round(contrast):
    turned = contrast.reversed()
    assert (turned.first, turned.second, turned.notes) == ("b", "a", contrast.notes)
    assert json.dumps(turned.reversed().to_dict()) == json.dumps(contrast.to_dict())


def test_what_was_best_is_worst_the_other_way_round():
    example = EXAMPLES.reversed().worst[0]
    assert (example.first_output, example.first_score, example.better_by) == ("x", 4.0, -5.0)
    assert example.diff == WordDiff(DIFF.second, DIFF.first)
    ngram = NGRAMS.reversed().best[0]
    assert (ngram.first_matches, ngram.second_matches, ngram.first_segments) == (1, 3, (9,))
    assert ngram.score == pytest.approx(1 - NGRAM.score)
    assert WORDS.reversed().groups[0].second == WordCounts(2, 4, 8)


def test_groups_the_other_way_round_begin_with_the_largest_difference():
    groups = tuple(
        GroupDifference("domain", label, "corpus", gain, 0.0, gain, 40, is_small=False)
        for label, gain in (("a", 2.0), ("b", -1.0), ("c", NAN))
    )
    turned = GroupDifferences("a", "b", "m", groups, 30).reversed()
    assert [(group.label, group.better_by) for group in turned.groups[:2]] == [("b", 1.0), ("a", -2.0)]
    assert turned.groups[2].label == "c"


def test_examples():
    example = EXAMPLES.to_dict()["best"][0]
    assert (example["segment"], example["better_by"]) == (3, 5.0)
    assert example["references"] == {"r": "x y", "s": "z"}
    assert example["diff"]["first"][1] == {"text": "y", "same": False}


def test_groups():
    assert [(group["group"], group["better_by"], group["is_small"]) for group in GROUPS.to_dict()["groups"]] == [
        ("domain:news", 2.0, False),
        ("domain:chat", None, True),
    ]


def test_ngrams():
    tree = NGRAMS.to_dict()
    assert tree["settings"] == {"tok": "13a", "case": "lc"}
    (ngram,) = tree["worst"]
    assert (ngram["text"], ngram["order"], ngram["first_segments"], ngram["second_segments"]) == (
        "old house",
        2,
        [1, 2],
        [9],
    )


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
    tree = WORDS.to_dict()
    assert tree["settings"] == {"tok": "13a"}
    assert [(group["better_by"], group["reason"]) for group in tree["groups"]] == [
        (pytest.approx(1 / 3), None),
        (None, "no such word in the references"),
    ]
