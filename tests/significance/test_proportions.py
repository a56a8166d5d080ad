from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binomtest

from assay.significance.proportions import exact_bounds


def test_the_bounds_of_clopper_and_pearson():
    hits, counts = np.array([0, 3, 10, 40]), np.array([30, 10, 10, 90])
    low, high = exact_bounds(hits / counts, counts, 0.05)
    for i, (k, n) in enumerate(zip(hits.tolist(), counts.tolist(), strict=True)):
        exact = binomtest(k, n).proportion_ci(0.9, method="exact")
        assert (low[i], high[i]) == pytest.approx((exact.low, exact.high))


def test_a_bound_is_that_of_a_one_sided_test():
    """With this share or a larger one, as many hits or fewer have the probability of the tail; and the reverse."""
    (low,), (high,) = exact_bounds(np.array([0.3]), np.array([10]), 0.01)
    assert binomtest(3, 10, low, alternative="greater").pvalue == pytest.approx(0.01)
    assert binomtest(3, 10, high, alternative="less").pvalue == pytest.approx(0.01)


def test_counts_need_not_be_whole():
    """An effective number of cases: the bounds are quantiles of beta distributions (Korn and Graubard 1998)."""
    (low,), (high,) = exact_bounds(np.array([0.2]), np.array([12.5]), 0.025)
    assert low == pytest.approx(beta.ppf(0.025, 2.5, 11))
    assert high == pytest.approx(beta.ppf(0.975, 3.5, 10))
