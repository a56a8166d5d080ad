from __future__ import annotations

import math

import numpy as np

from assay.results.outcome import are_bounds, is_significant


def test_p_below_alpha_is_significant():
    assert is_significant(0.049, 0.05)
    assert not is_significant(0.05, 0.05)
    assert not is_significant(math.nan, 0.05)
    assert is_significant(np.array([0.01, 0.05, np.nan]), 0.05).tolist() == [True, False, False]


def test_bounds():
    p_values = np.array([1 / 100, 1 / 100 * (1 + 1e-12), 2 / 100, 0.0, np.nan])
    assert are_bounds(p_values, 1 / 100).tolist() == [True, True, False, True, False]
    assert not are_bounds(p_values, 0.0).any()  # the test draws nothing: a p-value of 0 is only very low
    assert are_bounds(p_values[:2], np.array([0.01, np.nan])).tolist() == [True, False]
