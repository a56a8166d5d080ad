"""PER by hand; tests/oracle compares it with the Moses scorer."""

from __future__ import annotations

import math

import pytest

from assay import load, score


def per(outputs, references, spec="per"):
    return score(load(outputs={"x": outputs}, references=references), spec, resamples=0, agg="corpus,segment")[spec]


def test_by_hand():
    found = per(["b a a x"], ["a b c"])
    assert found.statistics.table[0, 0].tolist() == [2, 4, 3]
    assert found.corpus["x"] == pytest.approx(100 * (1 - (2 - 1) / 3))
    assert per(["b a a x"], ["a b c"], "PER-MOSES").corpus["x"] == pytest.approx(1 / 3)


def test_surplus_is_taken_off_the_pooled_lengths():
    """So the corpus value is not the mean of segment values weighted by length."""
    found = per(["a a a", ""], ["a", "b b"], "per-moses")
    assert found.segments["x"].tolist() == [-1, 0]
    assert found.corpus["x"] == pytest.approx(1 / 3)


@pytest.mark.warns("nothing was scored")
def test_no_reference_words():
    assert math.isnan(per(["a"], [""]).corpus["x"])
    assert per(["a"], [""], "per-moses").corpus["x"] == 0


def test_the_reference_with_the_fewest_errors_counts():
    found = per(["a b c"], {"A": ["x y"], "B": ["c b"], "C": ["c b a"]})
    assert found.statistics.table[0, 0].tolist() == [3, 3, 3]
    gaps = per(["a b", "a"], {"A": [None, "a"], "B": ["a b", None]})
    assert gaps.statistics.table[0].tolist() == [[2, 2, 2], [1, 1, 1]]


def test_direction():
    assert not per(["a"], ["a"]).higher_is_better
    assert per(["a"], ["a"], "per-moses").higher_is_better
    assert (per(["A."], ["a ."], "per:tok=13a,lowercase=yes")).corpus["x"] == 0
