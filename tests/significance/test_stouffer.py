from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.stouffer import opposed, stouffer


def matrix(*p_values):
    """Parts of two systems, with the one-sided p-value of "the first is better"."""
    return np.array([[[math.nan, p], [1 - p, math.nan]] for p in p_values])


def test_as_scipy():
    for p_values in ((0.01, 0.2, 0.6), (0.5,), (0.999, 0.001), (1e-12, 0.3)):
        found = stouffer(matrix(*p_values))
        expected = stats.combine_pvalues(p_values, method="stouffer").pvalue
        assert found[0, 1] == pytest.approx(expected, rel=1e-6)
        assert found[1, 0] == pytest.approx(1 - expected)


def test_two_sided_p_values_lose_the_direction():
    found = stouffer(matrix(0.01, 0.99), "two-sided")
    expected = stats.combine_pvalues((0.02, 0.02), method="stouffer").pvalue
    assert found[0, 1] == found[1, 0] == pytest.approx(expected)
    assert opposed(np.array([[1.0, 2.0], [2.0, 1.0]])).tolist() == [[False, True], [True, False]]
    assert stouffer(matrix(0.01, 0.99))[0, 1] == pytest.approx(0.5)  # signed, they cancel
    assert not opposed(np.array([[1.0, 2.0], [np.nan, 1.0]])).any()


def test_parts_with_equal_scores_or_without_a_test():
    copies = np.array([[[math.nan, 1.0], [1.0, math.nan]]])
    untested = np.full((1, 2, 2), math.nan)
    for parts in (copies, np.concatenate([copies] * 3), np.concatenate([copies, untested])):
        for alternative in ("better", "two-sided"):
            assert stouffer(parts, alternative)[[0, 1], [1, 0]].tolist() == [1.0, 1.0]
    expected = stats.combine_pvalues((0.03, 0.5), method="stouffer").pvalue  # one-sided, equal scores favour nobody
    assert stouffer(np.concatenate([matrix(0.03), copies]))[0, 1] == pytest.approx(expected)
    assert np.isnan(stouffer(untested)).all()
    assert stouffer(np.concatenate([matrix(0.03), untested]))[0, 1] == pytest.approx(0.03)


def test_a_p_value_is_above_0():
    assert stouffer(matrix(5e-324, 5e-324))[0, 1] > 0
