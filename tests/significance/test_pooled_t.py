from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.pooled_t import PooledT
from tests.significance.vectors import compare, random_pairs


@pytest.mark.slow
def test_as_scipy():
    compared = 0
    for first, second in random_pairs(3000, is_paired=False):
        found = compare(PooledT(), first, second)
        assert found.n == len(first) + len(second)
        if min(len(first), len(second)) < 2:
            assert found.reason == "a system has fewer than two scores"
        elif np.array_equal(first, second):
            assert found.p == 1
        elif np.ptp(first) == 0 == np.ptp(second):
            assert found.p == 1 if first[0] == second[0] else found.reason == "the scores do not vary"
        elif np.ptp(first) > 0 and np.ptp(second) > 0:  # scipy warns of a constant
            expected = stats.ttest_ind(first, second, alternative="greater").pvalue
            assert found.p == pytest.approx(expected, rel=1e-12, abs=0)
            compared += 1
    assert compared > 2000


def test_by_hand():
    # Means 3 and 1, variances 2 and 0, pooled 1 with 2 degrees of freedom; t = 2 / sqrt(1 (1/2 + 1/2)).
    found = compare(PooledT(), np.array([2.0, 4.0]), np.array([1.0, 1.0]))
    assert found.p == pytest.approx(0.5 - 2 / (2 * math.sqrt(6)), rel=1e-12)


def test_constants_are_constant_whatever_the_rounding():
    assert np.full(3, 0.1).mean() != np.full(4, 0.1).mean()
    assert compare(PooledT(), np.full(3, 0.1), np.full(4, 0.1)).p == 1
    assert compare(PooledT(), np.full(3, 0.1), np.full(4, 0.2)).reason == "the scores do not vary"
