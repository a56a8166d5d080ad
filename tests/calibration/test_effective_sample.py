from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest

from assay.calibration.effective_sample import exact_bounds, independent_pairs


@pytest.mark.parametrize(
    ("pairs", "count"),
    [
        ([(0, other) for other in range(1, 10)], 1),  # one system with all others
        ([(0, 1), (1, 2), (2, 3), (4, 5), (4, 5)], 3),
        ([*combinations(range(10), 2)], 5),
        ([(0, 1), (1, 2), (2, 0)], 1),
        ([(7, 3)], 1),
    ],
)
def test_pairs_without_a_system_in_common(pairs, count):
    assert independent_pairs(np.array(pairs)) == count
    assert independent_pairs(np.array(pairs)[::-1, ::-1]) == count


def test_the_bounds_of_clopper_and_pearson():
    hits, counts = np.array([0, 3, 10, 40]), np.array([30, 10, 10, 90])
    low, high = exact_bounds(hits / counts, counts, 0.9)
    for i, (k, n) in enumerate(zip(hits.tolist(), counts.tolist(), strict=True)):
        exact = binomtest(k, n).proportion_ci(0.9, method="exact")
        assert (low[i], high[i]) == pytest.approx((exact.low, exact.high))
