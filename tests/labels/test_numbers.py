from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.labels.numbers import (
    agreement_interval,
    agreement_text,
    difference_text,
    every,
    interval_text,
    joined,
    number,
    p_text,
    p_words,
    part_of,
    percent,
    share_text,
    size_text,
    threshold_text,
    true_minus,
)
from assay.results import Estimate


@pytest.mark.parametrize(
    ("value", "text"),
    [(70.7527139, "70.7528"), (-70.7527139, "-70.7527"), (0.5, "0.5"), (85.0, "85"), (0.0, "0"), (math.nan, "–")],
)
def test_thresholds_are_rounded_up(value: float, text: str) -> None:
    assert threshold_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_has_the_threshold_that_is_written_has_the_threshold(value: float) -> None:
    assert float(threshold_text(value)) >= value


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1.25, 2, "+1.25"),
        (-1.266, 2, "-1.27"),
        (0.004, 2, "+0.004"),
        (-0.0003, 2, "-0.0003"),
        (0.01567, 4, "+0.0157"),
        (0.0, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (math.nan, 2, "–"),
    ],
)
def test_differences_have_a_sign_and_the_decimals_of_their_metric(value, decimals, text):
    assert difference_text(value, decimals) == text
    assert size_text(value, decimals) == text.lstrip("+-")


def test_intervals():
    assert interval_text(0.5, 3.944) == "[0.50, 3.94]"
    assert interval_text(-0.04, 0.02, 3) == "[-0.040, 0.020]"
    assert interval_text(math.nan, math.nan) == ""
    assert interval_text(math.nan, 1.0) == "[–, 1.00]"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1"),
        (0.996, "1"),
        (0.6, "0.60"),
        (0.0625, "0.062"),
        (0.00312, "0.0031"),
        (0.0001, "0.00010"),
        (0.00009, "<0.0001"),
        (0.0, "<0.0001"),
        (math.nan, "–"),
    ],
)
def test_p_values_have_two_digits(p, text):
    assert p_text(p, alpha=0.05) == text


def test_p_values_are_not_rounded_across_alpha():
    texts = ["0.04996", "0.0499999", "0.050", "0.050"]
    assert [p_text(p, alpha=0.05) for p in (0.04996, 0.0499999, 0.05, 0.0504)] == texts
    assert p_text(0.00996, alpha=0.01) == "0.00996"
    assert p_text(0.00003, alpha=0.00005) == "3.0e-05"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1 / 10_001, "<0.0001"),
        (1 / 1001, "<0.001"),
        (780 / 40_001, "<0.02"),
        (780 / 10_001, "<0.078"),
        (780 / 80_001, "<0.0098"),
        (0.04999, "<0.05"),
        (0.05, "<0.051"),  # not below 0.05
        (1 / 1000, "<0.0011"),
        (0.0501, "<0.051"),
        (1 / 1_000_001, "<0.0001"),
        (0.999, "<1"),
        (1.0, "1"),
    ],
)
def test_bounds_are_rounded_up(p, text):
    assert p_text(p, alpha=0.05, is_bound=True) == text


def test_a_bound_is_never_below_the_p_value():
    for p in np.exp(np.random.default_rng(1).uniform(np.log(1e-9), 0, 2000)).tolist():
        assert p < float(p_text(p, alpha=0.05, is_bound=True)[1:]) <= max(p * 1.11, 0.0001)


def test_p_values_in_sentences():
    assert [p_words(p, alpha=0.05) for p in (0.00004, 0.0123, math.nan)] == ["p < 0.0001", "p = 0.012", "p undefined"]
    assert p_words(1 / 1001, alpha=0.05, is_bound=True) == "p < 0.001"


def test_agreement_below_1_is_not_shown_as_1():
    assert [agreement_text(value) for value in (0.9936, 0.9996, 1.0, -0.5)] == ["0.994", "0.9996", "1.000", "-0.500"]
    assert agreement_interval(-0.9999, 0.96) == "[-0.9999, 0.960]"
    assert agreement_interval(math.nan, math.nan) == ""


def test_shares_and_levels():
    assert [percent(0.95), percent(0.999)] == ["95 %", "99.9 %"]
    assert share_text(0.456) == "46 %"
    assert share_text(Estimate(0.456, 9, 0.29, 0.62)) == "46 % [29, 62]"


def test_numbers():
    assert (number(-1234.5), number(-0.001), number(math.nan)) == ("-1234.50", "0.00", "–")
    assert true_minus(number(-2.0)) == "−2.00"


def test_lists():
    assert [joined(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_all_and_some_of_several_things():
    texts = ["the score", "both scores", "all 3 scores", "all 1,200 scores"]
    assert [every(count, "score") for count in (1, 2, 3, 1200)] == texts
    assert [part_of(count, 2, "system") for count in (1, 2)] == ["1 of 2 systems", "both systems"]
    assert part_of(1, 1, "score") == "1 of 1 score"
    assert part_of(1000, 2000, "score") == "1,000 of 2,000 scores"
