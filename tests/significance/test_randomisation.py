from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay import _core, resample
from assay.errors import ConfigError
from assay.significance import test as registry
from assay.significance.randomisation import Randomisation
from tests.significance.vectors import compare, random_pairs


def test_as_swapping_one_by_one():
    for first, second in random_pairs(400, is_paired=True):
        found = compare(Randomisation(resamples=50, seed=7), first, second)
        if not len(first):
            assert found.reason == "the systems have no segment in common"
            continue
        seen = (first - second).sum()
        at_least = 0
        for coins in _core.coin_weights(0, 50, len(first), 7, 1):
            swapped = np.where(coins == 1, second, first) - np.where(coins == 1, first, second)
            at_least += swapped.sum() >= seen - 1e-9 * np.abs(first - second).sum()
        assert found.p == (1 + at_least) / 51


def test_near_the_p_value_of_all_the_ways_to_swap():
    random = np.random.Generator(np.random.PCG64(5))
    for _ in range(20):
        difference = random.integers(-3, 5, 10).astype(np.float64)
        ways = [np.dot(signs, difference) for signs in itertools.product((1, -1), repeat=10)]
        exact = np.mean(np.array(ways) >= difference.sum())
        found = compare(Randomisation(resamples=4000), difference, np.zeros(10))
        assert abs(found.p - exact) < 5 * np.sqrt(exact * (1 - exact) / 4000) + 1e-3


def test_sums_that_are_equal_but_for_rounding_are_equal():
    # 0.1 + 0.2 and 0.3: exchanging either leaves the same total.
    first, second = np.array([0.1, 0.2, 0.0]), np.array([0.0, 0.0, 0.3])
    found = compare(Randomisation(resamples=2000), first, second)
    exact = np.mean([a * 1 + b * 2 - c * 3 >= 0 for a, b, c in itertools.product((1, -1), repeat=3)])
    assert abs(found.p - exact) < 0.05


def test_the_seed_decides_and_blocks_do_not(monkeypatch):
    random = np.random.Generator(np.random.PCG64(6))
    first, second = random.normal(size=50), random.normal(size=50)
    whole = compare(Randomisation(resamples=300), first, second)
    assert whole == compare(Randomisation(resamples=300), first, second)
    assert whole.p != compare(Randomisation(resamples=300, seed=1), first, second).p
    for cells in (1, 137 * 50):
        monkeypatch.setattr(resample, "_UNINTERRUPTED_DRAWS", cells)
        assert compare(Randomisation(resamples=300), first, second) == whole


def test_more_draws_allow_smaller_p_values():
    first = np.arange(1.0, 31.0)
    for resamples in (1, 9, 999):
        assert compare(Randomisation(resamples), first, -first).p == 1 / (1 + resamples)


@pytest.mark.parametrize(
    "spec", ["resamples=0", "resamples=10000001", "resamples=x", "seed=-1", f"seed={2**64}", "drws=3"]
)
def test_bad_options_are_refused(spec):
    with pytest.raises(ConfigError):
        registry.create(f"randomisation:{spec}")
