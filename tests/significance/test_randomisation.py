from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay import _core
from assay.errors import ConfigError
from assay.significance import test as registry
from assay.significance.randomisation import Randomisation, count_as_extreme
from assay.types import Scorable
from tests.significance.vectors import compare, random_pairs


def test_as_swapping_one_by_one():
    for first, second in random_pairs(400, is_paired=True):
        found = compare(Randomisation(resamples=50, seed=7), first, second)
        if not len(first):
            assert found.reason == "the systems have no segment in common"
            continue
        seen = (first - second).sum()
        at_least = 0
        for coins in _core.swap_weights(0, 50, len(first), 7, 1):
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


def test_the_seed_decides():
    random = np.random.Generator(np.random.PCG64(6))
    first, second = random.normal(size=50), random.normal(size=50)
    whole = compare(Randomisation(resamples=300), first, second)
    assert whole == compare(Randomisation(resamples=300), first, second)
    assert whole.p != compare(Randomisation(resamples=300, seed=1), first, second).p


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


def exact_p_values(values, groups):
    """One-sided and two-sided: the share of all ways to swap with a sum of group means at least as high, or as far."""
    difference = (values[0] - values[1]) * sum(group / group.sum() for group in groups)
    ways = np.array([np.dot(signs, difference) for signs in itertools.product((1, -1), repeat=len(difference))])
    observed = difference.sum()
    return np.mean(ways >= observed - 1e-9), np.mean(np.abs(ways) >= abs(observed) - 1e-9)


def test_groups_are_near_the_p_value_of_all_the_ways_to_swap():
    random = np.random.Generator(np.random.PCG64(5))
    groups = [np.arange(10) < 3, np.arange(10) >= 3]
    for _ in range(20):
        values = random.integers(0, 6, (2, 10)).astype(np.float64)
        for alternative, exact in zip(("better", "two-sided"), exact_p_values(values, groups), strict=True):
            test = Randomisation(resamples=4000)
            found = test.compare_in_groups(Scorable.of_segments(values, ("a", "b")), groups, alternative).p[0, 1]
            assert abs(found - exact) < 5 * np.sqrt(exact * (1 - exact) / 4000) + 1e-3


def test_one_group_is_as_no_groups():
    random = np.random.Generator(np.random.PCG64(6))
    values = random.integers(0, 9, (4, 30)).astype(np.float64)
    values[random.random(values.shape) < 0.2] = np.nan
    systems = Scorable.of_segments(values, tuple("abcd"))
    found = Randomisation(200).compare_in_groups(systems, [np.ones(30, np.bool_)])
    assert np.array_equal(found.p, Randomisation(200).compare_all(systems).p, equal_nan=True)


def test_groups_that_systems_do_not_share_do_not_count():
    values = np.array([[5.0, 6.0, 7.0, 1.0, np.nan], [1.0, 2.0, 3.0, np.nan, 9.0], [np.nan] * 5])
    systems = Scorable.of_segments(values, tuple("abc"))
    groups = [np.arange(5) < 3, np.arange(5) >= 3]
    found = Randomisation(400).compare_in_groups(systems, groups)
    common = Randomisation(400).compare_all(systems.take(np.arange(3)))
    assert found.p[0, 1] == common.p[0, 1] < 0.2
    assert dict(found.untested) == {"the systems have no segment in common": 2}


@pytest.mark.parametrize("alternative", ["better", "two-sided"])
def test_false_alarms_in_groups_are_as_rare_as_promised(alternative):
    """2,000 pairs of systems that do not differ, in four domains of unequal size and spread."""
    random = np.random.Generator(np.random.PCG64(14))
    domain = np.repeat(np.arange(4), (5, 10, 20, 40))
    groups = [domain == k for k in range(4)]
    rejected = 0
    for seed in range(2000):
        values = random.normal(size=(2, 75)) * (1 + domain)
        systems = Scorable.of_segments(values, ("a", "b"))
        rejected += Randomisation(199, seed).compare_in_groups(systems, groups, alternative).p[0, 1] <= 0.05
    assert 0.038 <= rejected / 2000 <= 0.062


def test_undefined_resamples_count_and_rounding_does_not():
    resampled = np.array([1.0 + 1e-13, 1.0 - 1e-13, -1.0, 0.5, np.nan])
    counts = [count_as_extreme(resampled, 1.0, (3.0, 2.0), which) for which in ("two-sided", "better", "worse")]
    assert counts == [4, 3, 5]
