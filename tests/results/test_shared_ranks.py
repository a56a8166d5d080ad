from __future__ import annotations

import math

from assay.results.shared_ranks import shared_ranks


def test_equal_values_share_a_rank():
    assert shared_ranks([0.9, 0.8, 0.8, 0.8, 0.1]) == [1, 2, 2, 2, 5]
    assert shared_ranks([math.nan, math.nan]) == [1, 2]
    assert shared_ranks([]) == []


def test_values_that_differ_by_rounding_are_tied():
    assert shared_ranks([0.1 + 0.2, 0.3, 0.2]) == [1, 1, 3]
    assert shared_ranks([3e-12, 2e-12]) == [1, 2]


def test_values_of_different_classes_are_not_tied():
    assert shared_ranks([0.5, 0.5, 0.5], ["a", "b", "b"]) == [1, 2, 2]
