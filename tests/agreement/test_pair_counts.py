"""Counts of pairs against looking at each."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import Batch
from assay.agreement.pair_counts import count_pairs, ratio
from tests.agreement.twins import members, random_batch, tally


@pytest.mark.parametrize("items", [3, 12, 127, 128, 300])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0])
def test_equals_its_slow_twin(items, epsilon):
    random = np.random.default_rng(items)
    for _ in range(4):
        batch = random_batch(random, groups=300 // items + 1, items=items)
        counts = count_pairs(batch, epsilon)
        found = np.column_stack(
            [counts.concordant, counts.discordant, counts.tied_metric, counts.tied_human, counts.tied_both]
        )
        np.testing.assert_array_equal(found, [tally(*group, epsilon=epsilon) for group in members(batch)])
        sizes = batch.sizes
        np.testing.assert_array_equal(counts.total, sizes * (sizes - 1) // 2)


@pytest.mark.slow
def test_more_pairs_than_32_bits_count():
    n = 5_000_000
    up = np.arange(float(n))[np.newaxis]
    counts = count_pairs(Batch(up, -up, np.ones(up.shape, dtype=bool)))
    assert counts.discordant.tolist() == counts.total.tolist() == [n * (n - 1) // 2]


def test_ratio():
    np.testing.assert_array_equal(ratio(np.array([1, 0]), np.array([2, 0])), [0.5, np.nan])
