"""The best epsilon against trying all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.agreement import Batch
from assay.agreement.acc_star import AccStar
from assay.agreement.tie_calibration import _weights, best_epsilon, resampled_accuracies
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
    assert _weights((1, 3, 6, 10), bits=3).tolist() == [30, 10, 5, 3]
    pairs = [items * (items - 1) // 2 for items in range(2, 36)]
    assert len(set((pairs * _weights(tuple(pairs), bits=6)).tolist())) == 1


def test_weights_beyond_a_common_multiple_are_nearly_exact():
    pairs = [items * (items - 1) // 2 for items in range(2, 300)]
    weights = _weights(tuple(pairs), bits=len(pairs).bit_length()).tolist()
    products = [size * weight for size, weight in zip(pairs, weights, strict=True)]
    assert sum(products) < 2**63
    assert max(products) / min(products) - 1 < 1e-9
    assert math.gcd(*products[:10]) > 1


@pytest.mark.parametrize(("items", "threads"), [(1, 1), (4, 1), (7, 2), (40, 3)])
def test_resamples_equal_repeated_groups(items, threads):
    """Also with more items than a common multiple allows, and with groups of one item or none."""
    random = np.random.default_rng(items)
    batch = random_batch(random, groups=9, items=items)
    mask = batch.mask & (random.random(batch.mask.shape) < 0.8)
    pairs = random.random((items, items)) < 0.7
    for counted in (None, pairs | pairs.T):
        gappy = Batch(batch.metric, batch.human, mask, counted)
        draws = random.integers(0, 3, size=(20, 9)).astype(np.uint32)
        accuracies = resampled_accuracies(gappy, threads)(draws)
        for row, values in zip(draws, accuracies, strict=True):
            drawn = np.repeat(np.arange(9), row)
            repeated = Batch(gappy.metric[drawn], gappy.human[drawn], mask[drawn], counted)
            np.testing.assert_array_equal(values[drawn], AccStar().compute(repeated).values)


def test_too_many_pairs_are_not_kept():
    assert resampled_accuracies(Batch(*np.zeros((2, 1, 5000)), np.ones((1, 5000), dtype=bool)), 1) is None


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
