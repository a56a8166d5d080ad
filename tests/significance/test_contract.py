"""What holds for every test of significance, ours or another's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.significance import test as registry
from assay.types import Scorable
from tests.significance.vectors import compare, random_pairs

EITHER = "bootstrap-either"  # the rule of a campaign: of two tests, the one that finds more
every_test = pytest.mark.parametrize("name", registry.names())
every_single_test = pytest.mark.parametrize("name", [name for name in registry.names() if name != EITHER])


def pairs_for(test, count, seed=3):
    return random_pairs(count, is_paired=test.is_paired, seed=seed)


def fast(name, **options):
    """Fewer resamples where there are any."""
    if name == "randomisation":
        options = {"resamples": 200} | options
    return registry.create(name + ":" + ",".join(f"{key}={value}" for key, value in options.items()))


def test_the_tests_there_are():
    assert registry.names() == [EITHER, "paired-t", "pooled-t", "randomisation", "rank-sum", "signed-rank"]


@every_test
def test_a_p_value_is_above_0_and_at_most_1_or_undefined_with_a_reason(name):
    test = fast(name)
    for first, second in pairs_for(test, 500):
        found = compare(test, first, second)
        assert isinstance(found.p, float)
        assert (found.reason is not None) == math.isnan(found.p)
        assert math.isnan(found.p) or 0 < found.p <= 1
        assert found.n == (len(first) if test.is_paired else len(first) + len(second))
        assert found == compare(test, first, second) or math.isnan(found.p)


@every_test
def test_a_copy_is_not_better(name):
    test = fast(name)
    for first, _ in pairs_for(test, 200):
        if len(first) > 1:
            assert compare(test, first, first.copy()).p == 1


@every_single_test
def test_the_other_way_round(name):
    test = fast(name)
    for first, second in pairs_for(test, 300):
        one, other = compare(test, first, second), compare(test, second, first)
        assert math.isnan(one.p) == math.isnan(other.p)
        assert one.reason == other.reason
        if not math.isnan(one.p):
            assert one.p + other.p >= 1 - 1e-12
        if name.endswith("-t") and one.p < 1:
            assert one.p + other.p == pytest.approx(1)


@every_test
def test_units_do_not_matter(name):
    test = fast(name)
    for first, second in pairs_for(test, 100):
        whole, other = np.round(first), np.round(second)
        found = compare(test, whole, other)
        assert compare(test, 4 * whole, 4 * other).p == pytest.approx(found.p, nan_ok=True, rel=1e-12)
        assert compare(test, whole - 100, other - 100).p == pytest.approx(found.p, nan_ok=True, rel=1e-6)


@every_test
def test_nothing_one_and_constants_are_no_exceptions(name):
    test = fast(name)
    nothing, one, constant = np.array([]), np.array([3.0]), np.full(5, 0.1)
    assert compare(test, nothing, nothing).reason is not None
    assert 0 < compare(test, one, one + 1).p <= 1 or compare(test, one, one + 1).reason is not None
    higher = compare(test, constant + 1, constant)
    assert higher.p < 0.1 or higher.reason in ("the scores do not vary", "the differences do not vary")
    assert compare(test, np.full(5, 1e308), np.full(5, 1e308)).p == 1


@every_test
def test_better_is_found_better(name):
    random = np.random.Generator(np.random.PCG64(12))
    base = random.normal(size=200)
    better = base + 1 + random.normal(size=200)
    assert compare(fast(name), better, base).p < 0.01
    assert compare(fast(name), base, better).p > 0.99


@every_single_test
def test_false_alarms_are_as_rare_as_promised(name):
    """2,000 pairs of systems that do not differ; 0.05 of them, give or take 2.5 standard errors."""
    random = np.random.Generator(np.random.PCG64(13))
    found = 0
    for number in range(2000):
        options = {"seed": number, "resamples": 399} if name == "randomisation" else {}
        first, second = random.normal(size=(2, 30))
        found += compare(fast(name, **options), first, second).p <= 0.05
    assert 0.038 <= found / 2000 <= 0.062


@every_test
def test_all_pairs_at_once_are_as_pair_by_pair(name):
    test = fast(name)
    generator = np.random.Generator(np.random.PCG64(8))
    for gaps in (0.0, 0.3):
        values = generator.integers(0, 5, (5, 30)).astype(float)
        values[4] = values[0]
        values[generator.random(values.shape) < gaps] = np.nan
        systems = Scorable.of_segments(values, tuple("abcde"))
        found = test.compare_all(systems)
        for i, j in np.ndindex(5, 5):
            expected = math.nan if i == j else test.compare(systems.system("abcde"[i]), systems.system("abcde"[j])).p
            assert found.p[i, j] == expected or (math.isnan(expected) and math.isnan(found.p[i, j]))
    apart = test.compare_all(Scorable.of_segments(np.array([[1.0, np.nan], [np.nan, np.nan]]), ("a", "b")))
    assert np.isnan(apart.p).all()
    assert list(apart.untested.values()) == [1]
