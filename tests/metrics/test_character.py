"""CharacTER by hand; tests/oracle compares it with the package `cer` and with what WMT19 published."""

from __future__ import annotations

import math

import pytest

from assay import load, score
from assay.metrics import metric


def character(outputs, references, spec="character"):
    return score(load(outputs={"x": outputs}, references=references), spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.parametrize(
    ("output", "reference", "edits", "length"),
    [
        ("ab cd", "ab cd", 0, 5),
        (" ab\t cd ", "ab cd", 0, 5),
        ("a", "b", 1, 1),
        ("今天天气", "今天很好", 2, 4),
        ("cd ab", "ab cd", 2, 5),  # one word moves
        ("ccc dddd ab x", "ab x ccc dddd", 3.5, 13),  # the first two words now stand behind, as one phrase
        ("", "abc", 3, 0),
        ("abc", " ", 3, 3),
    ],
)
def test_edits(output, reference, edits, length):
    found = character([output], [reference])
    assert found.statistics.table[0, 0].tolist() == [edits, length]
    assert found.segments["x"][0] == (min(1, edits / length) if length else 1)


def test_of_equal_moves_the_last_in_the_order_of_strings_is_made():
    """A move to "bb a d" or "d a bb" lowers the distance by 1; after the first, the edits would be 3."""
    assert character(["a bb d"], ["d a d"]).statistics.table[0, 0].tolist() == [3.5, 6]


def test_the_package_makes_a_move_that_gains_nothing():
    """6 / 7 - (6 / 7 - 3 / 7) is not 3 / 7 in binary numbers: a move to the same distance seems to gain something."""
    texts = ["a a a f a c d"], ["c d a a f f a"]
    assert character(*texts).statistics.table[0, 0].tolist() == [3, 13]
    assert character(*texts, "character:flavour=rwth").statistics.table[0, 0].tolist() == [2, 13]


def test_scores_above_1_are_cut_off():
    assert character(["a"], ["bcd efg"]).segments["x"][0] == 1
    uncut = character(["a"], ["bcd efg"], "character:cap=no")
    assert uncut.segments["x"][0] == uncut.corpus["x"] == 7


def test_the_corpus_score_is_of_sums_and_the_segment_mean_is_the_programs():
    found = character(["ab", "axxx"], ["ab", "abcd"])
    assert found.corpus["x"] == 3 / 6
    assert found.segment_mean["x"] == (0 + 3 / 4) / 2
    assert metric.create("character").default_aggregation == "segment"


@pytest.mark.warns("empty")
def test_two_empty_texts_have_no_score():
    found = character(["", "a"], [" ", "a"])
    assert math.isnan(found.segments["x"][0])
    assert found.segment_mean["x"] == 0


def test_the_lowest_score_of_several_references_counts():
    found = character(["abc", None], {"A": ["xyz", "a"], "B": ["abd", "a"], "C": [None, "a"]})
    assert found.statistics.table[0].tolist() == [[1, 3], [0, 0]]
    assert found.statistics.scored[0].tolist() == [True, False]


def test_options():
    assert character(["A b"], ["a b"], "character:lowercase=yes").segments["x"][0] == 0
    assert character(["天今"], ["今天"], "character:tok=char").statistics.table[0, 0].tolist() == [1, 3]


def test_texts_of_more_than_64_words():
    """The rows of a long reference are not stored, so moves are computed in another way."""
    words = [f"w{i}" for i in range(100)]
    found = character([" ".join(words[10:] + words[:10])], [" ".join(words)])
    assert found.statistics.table[0, 0, 0] == pytest.approx(sum(len(word) for word in words[10:]) / 90)
