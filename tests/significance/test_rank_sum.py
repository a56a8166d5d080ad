from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.rank_sum import RankSum
from tests.significance.vectors import random_pairs


def test_as_scipy():
    compared = 0
    for first, second in random_pairs(2500, is_paired=False):
        found = RankSum().compare(first, second)
        assert found.n == len(first) + len(second)
        if not len(first) or not len(second):
            assert found.reason == "a system has no score"
        elif np.array_equal(first, second):
            assert found.p == 1
        elif np.unique(np.concatenate([first, second])).size == 1:
            assert math.isnan(found.p)
            assert found.reason == "all scores are equal"
        else:
            expected = stats.mannwhitneyu(first, second, alternative="greater", method="asymptotic").pvalue
            assert found.p == pytest.approx(expected, rel=1e-12)
            compared += 1
    assert compared > 2000


def test_by_hand():
    # Ranks of the first: 3, 5, 6; U = 14 - 6 = 8, its mean 4.5, its variance 3 * 3 * 7 / 12.
    z = (8 - 4.5 - 0.5) / math.sqrt(5.25)
    found = RankSum().compare(np.array([3.0, 5.0, 6.0]), np.array([1.0, 2.0, 4.0]))
    assert found.p == pytest.approx(stats.norm.sf(z), rel=1e-14)


def test_order_does_not_matter():
    for first, second in random_pairs(100, is_paired=False, seed=2):
        if not np.array_equal(first, second):
            assert RankSum().compare(first[::-1], second).p == pytest.approx(
                RankSum().compare(first, second).p, nan_ok=True, rel=1e-14
            )


def test_many_equal_scores_are_equal_whatever_the_rounding():
    found = RankSum().compare(np.full(300_001, 0.1), np.full(300_000, 0.1))
    assert math.isnan(found.p)
    assert found.reason == "all scores are equal"
