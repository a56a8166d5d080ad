from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.signed_rank import SignedRank
from tests.significance.vectors import compare, random_pairs


@pytest.mark.slow
def test_as_scipy():
    compared = 0
    for first, second in random_pairs(2600, is_paired=True):
        found = compare(SignedRank(), first, second)
        difference = first - second
        assert found.n == len(first)
        if not len(first):
            assert found.reason == "the systems have no segment in common"
        elif not difference.any():
            assert found.p == 1
        else:
            settings = {"zero_method": "wilcox", "correction": True, "alternative": "greater", "method": "asymptotic"}
            assert found.p == pytest.approx(stats.wilcoxon(difference, **settings).pvalue, rel=1e-12)
            compared += 1
    assert compared > 2000


def test_by_hand():
    # Differences 1, -2, 3, 0, 4: ranks 1, 2, 3, 4 without the zero; W+ = 8, its mean 5, its variance 4 * 5 * 9 / 24.
    found = compare(SignedRank(), np.array([2.0, 1.0, 5.0, 7.0, 9.0]), np.array([1.0, 3.0, 2.0, 7.0, 5.0]))
    assert found.p == pytest.approx(stats.norm.sf((8 - 5 - 0.5) / math.sqrt(7.5)), rel=1e-14)
    assert found.n == 5
