from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.paired_t import PairedT
from tests.significance.vectors import compare, random_pairs


@pytest.mark.slow
def test_as_scipy():
    compared = 0
    for first, second in random_pairs(2900, is_paired=True):
        found = compare(PairedT(), first, second)
        assert found.n == len(first)
        if len(first) < 2:
            assert found.reason == "fewer than two segments in common"
        elif np.array_equal(first, second):
            assert found.p == 1
        elif math.isnan(found.p):
            assert np.ptp(first - second) < 1e-12
            assert found.reason == "the differences do not vary"
        else:
            expected = stats.ttest_rel(first, second, alternative="greater").pvalue
            assert found.p == pytest.approx(expected, rel=1e-12, abs=0)
            compared += 1
    assert compared > 2000


def test_by_hand():
    # Differences 1, 2, 6: mean 3, variance 7, t = 3 / sqrt(7 / 3) with 2 degrees of freedom.
    t = 3 / math.sqrt(7 / 3)
    found = compare(PairedT(), np.array([2.0, 4.0, 9.0]), np.array([1.0, 2.0, 3.0]))
    assert found.p == pytest.approx(0.5 - t / (2 * math.sqrt(2 + t * t)), rel=1e-12)


def test_a_constant_difference_is_constant_whatever_the_rounding():
    values = np.array([0.1, 0.7, 1.3, 2.9])
    assert np.ptp(values + 0.1 - values) > 0
    assert compare(PairedT(), values + 0.1, values).reason == "the differences do not vary"
    assert compare(PairedT(), values + 1e-9 * values, values).p < 0.1  # small, but no rounding
