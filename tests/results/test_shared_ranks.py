from __future__ import annotations

import math

from assay.results.shared_ranks import shared_ranks


def test_equal_values_share_a_rank():
    assert shared_ranks([0.9, 0.8, 0.8, 0.8, 0.1]) == [1, 2, 2, 2, 5]
    assert shared_ranks([math.nan, math.nan]) == [1, 2]
    assert shared_ranks([]) == []
