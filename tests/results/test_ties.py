from __future__ import annotations

import math

import numpy as np

from assay.results.ties import score_differences, shared_ranks


def test_equal_values_share_a_rank():
    assert shared_ranks([0.9, 0.8, 0.8, 0.8, 0.1]) == [1, 2, 2, 2, 5]
    assert shared_ranks([math.nan, math.nan]) == [1, 2]
    assert shared_ranks([]) == []


def test_values_that_differ_by_rounding_are_tied():
    assert shared_ranks([0.1 + 0.2, 0.3, 0.2]) == [1, 1, 3]
    assert shared_ranks([3e-12, 2e-12]) == [1, 2]


def test_values_of_different_classes_are_not_tied():
    assert shared_ranks([0.5, 0.5, 0.5], ["a", "b", "b"]) == [1, 2, 2]


def test_scores_that_differ_by_rounding_are_tied():
    first = np.array([0.1 + 0.2, 50.0, 1.0, math.nan, 60.0])
    second = np.array([0.3, 50.0 + 7e-15, 1.1, 1.0, 60.0])
    found = score_differences(first, second)
    assert found[:2].tolist() == [0.0, 0.0]
    assert found[2] == 1.0 - 1.1
    assert math.isnan(found[3])
    assert found[4] == 0.0


def test_small_scores_are_compared_with_their_own_size():
    assert score_differences(np.array([1e-12]), np.array([2e-12])).tolist() == [-1e-12]
    assert score_differences(np.array([0.0]), np.array([0.0])).tolist() == [0.0]
    assert score_differences(np.array([]), np.array([])).tolist() == []
    assert score_differences(np.array([math.nan]), np.array([1.0])).shape == (1,)
