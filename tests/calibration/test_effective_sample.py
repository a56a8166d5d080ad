from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.calibration.effective_sample import independent_pairs


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
