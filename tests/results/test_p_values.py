from __future__ import annotations

import numpy as np
import pytest

from assay.results.p_values import are_bounds, p_bound_text, p_words


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
        (1 / 1_000_001, "<1e-06"),
        (0.999, "<1"),
        (1.0, "1"),
    ],
)
def test_bounds_are_rounded_up(p, text):
    assert p_bound_text(p) == text


def test_a_bound_is_never_below_the_p_value():
    for p in np.exp(np.random.default_rng(1).uniform(np.log(1e-9), 0, 2000)).tolist():
        bound = float(p_bound_text(p)[1:])
        assert p < bound <= p * 1.11


def test_in_a_sentence():
    assert p_words(0.0123) == "p = 0.012"
    assert p_words(1 / 10_001, is_bound=True) == "p < 0.0001"
    assert p_words(1.0, is_bound=True) == "p = 1"


def test_bounds():
    p_values = np.array([1 / 100, 1 / 100 * (1 + 1e-12), 2 / 100, 0.0, np.nan])
    assert are_bounds(p_values, 1 / 100).tolist() == [True, True, False, True, False]
    assert not are_bounds(p_values, 0.0).any()  # the test draws nothing: a p-value of 0 is only very low
    assert are_bounds(p_values[:2], np.array([0.01, np.nan])).tolist() == [True, False]
