from __future__ import annotations

import math

import pytest

from assay.labels.numbers import (
    agreement_text,
    difference_decimals,
    difference_text,
    interval_text,
    joined,
    number,
    p_text,
    p_words,
    percent,
    signed,
    size_text,
)
from assay.results import Estimate


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1.25, 1, "+1.2"),
        (-1.26, 1, "−1.3"),
        (0.04, 1, "+0.04"),
        (-0.0003, 1, "−0.0003"),
        (0.0156, 3, "+0.016"),
        (0.0, 1, "0.0"),
        (-0.0, 1, "0.0"),
        (1e-9, 1, "0.0000"),
        (math.nan, 1, "–"),
    ],
)
def test_differences_have_a_sign_and_the_decimals_of_their_metric(value, decimals, text):
    assert difference_text(value, decimals) == text
    assert size_text(value, decimals) == text.lstrip("+−")


def test_intervals():
    assert interval_text(0.5, 3.94) == "+0.5 to +3.9"
    assert interval_text(-0.04, 0.02) == "−0.04 to +0.02"
    assert interval_text(math.nan, math.nan) == ""
    assert interval_text(math.nan, 1.0) == "– to +1.0"


@pytest.mark.parametrize(
    ("p", "text"), [(1.0, "1"), (0.0625, ".062"), (0.0009, "<.001"), (0.9996, "1"), (math.nan, "–")]
)
def test_p_values(p, text):
    assert p_text(p) == text


def test_p_values_in_sentences():
    assert [p_words(p) for p in (0.0004, 0.0123, math.nan)] == ["p < .001", "p = .012", "p undefined"]


def test_agreement_below_1_is_not_shown_as_1():
    assert [agreement_text(value) for value in (0.9936, 0.996, 1.0, -0.5)] == ["0.99", "0.996", "1.00", "−0.50"]


def test_numbers():
    assert [percent(0.95), percent(0.999)] == ["95%", "99.9%"]
    assert (number(-1234.5), number(-0.01), number(math.nan)) == ("−1,234.5", "0.0", "–")
    assert (signed(2), signed(-2), signed(0.01), signed(math.nan)) == ("+2.0", "−2.0", "0.0", "–")


def test_scores_of_the_order_of_1_have_more_decimals():
    assert difference_decimals({"a": Estimate(30.0, 1), "b": Estimate(0.5, 1)}) == 1
    assert difference_decimals({"a": Estimate(0.8, 1), "b": Estimate(0.5, 1)}) == 3


def test_lists():
    assert [joined(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
