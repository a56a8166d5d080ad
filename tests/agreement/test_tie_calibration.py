"""The best epsilon against trying all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.agreement import Batch
from assay.agreement.tie_calibration import _weights, best_epsilon
from tests.agreement import twins
from tests.agreement.twins import batch_of, random_batch


@pytest.mark.parametrize(
    ("metric", "human", "epsilon"),
    [
        ([0, 2, 6, 8], [1, 2, 3, 4], 0),
        ([0, 2, 6, 8], [1, 1, 1, 4], 4),  # 3, 3, 4, 4, 3 of 6 at 0, 2, 4, 6, 8: the first maximum
        ([0, 2, 6, 8], [5, 5, 5, 5], 8),
        ([3, 3, 3, 3], [1, 2, 3, 4], 0),
        ([1], [1], 0),
    ],
)
def test_known_values(metric, human, epsilon):
    """From mt-metrics-eval's tests and by hand."""
    assert best_epsilon(batch_of(metric, human)) == epsilon


def test_equals_trying_all():
    random = np.random.default_rng(8)
    for _ in range(150):
        batch = random_batch(random, groups=int(random.integers(1, 9)), items=int(random.integers(1, 8)))
        assert best_epsilon(batch) == twins.best_epsilon(batch)


def test_groups_of_different_size_weigh_the_same():
    """One pair of two items against three of three: tying all gains 1, and loses 3 / 3; then the first maximum is 0."""
    metric, human = [[0, 1, np.nan], [0, 1, 2]], [[5, 5, np.nan], [1, 2, 3]]
    assert best_epsilon(batch_of(metric, human)) == 1.0  # gains 1, loses 2 / 3
    assert best_epsilon(batch_of([[0, 2, np.nan], [0, 1, 2]], human)) == 0.0


def test_weights_are_exact():
    weights = _weights(np.array([1, 3, 6, 0, 10]))
    assert weights.tolist() == [30, 10, 5, 30, 3]
    items = np.arange(2, 36)
    pairs = items * (items - 1) // 2
    assert len(set((pairs * _weights(pairs)).tolist())) == 1


def test_weights_beyond_a_common_multiple_are_nearly_exact():
    items = np.arange(2, 300)
    pairs = items * (items - 1) // 2
    products = [size * weight for size, weight in zip(pairs.tolist(), _weights(pairs).tolist(), strict=True)]
    assert sum(products) < 2**63
    assert max(products) / min(products) - 1 < 1e-9
    assert math.gcd(*products[:10]) > 1


def test_one_long_vector():
    """Two million pairs; everything within 2 is a tie for people."""
    random = np.random.default_rng(1)
    metric = random.permutation(2000).astype(float)
    batch = Batch(metric[np.newaxis], (metric // 1000)[np.newaxis], np.ones((1, 2000), dtype=bool))
    found = best_epsilon(batch)
    rights = [
        (np.abs(np.subtract.outer(metric, metric)) <= e) == np.equal.outer(metric // 1000, metric // 1000)
        for e in (found - 1, found, found + 1)
    ]
    assert rights[0].sum() < rights[1].sum() >= rights[2].sum()
