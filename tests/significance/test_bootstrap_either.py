from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.significance.bootstrap_either import BootstrapEither
from assay.types import Scorable
from tests.significance.vectors import compare, random_pairs

DRAWS = 4000


def mean_difference(x, y, axis=-1):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def lower_bounds(first, second, level):
    """SciPy's BCa bounds, as the organisers of WMT26 call it: paired and unpaired."""
    settings = {"confidence_level": 1 - level, "alternative": "greater", "n_resamples": DRAWS, "vectorized": True}
    paired = stats.bootstrap((first - second,), np.mean, rng=np.random.default_rng(1), **settings)
    unpaired = stats.bootstrap((first, second), mean_difference, rng=np.random.default_rng(2), **settings)
    return paired.confidence_interval.low, unpaired.confidence_interval.low


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.4])
@pytest.mark.parametrize("shape", ["normal", "skewed"])
@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_significant_where_a_lower_bound_of_scipy_is_above_0(shift, shape, correlation):
    random = np.random.default_rng(4)
    common, own, other = (getattr(random, "normal" if shape == "normal" else "exponential")(size=(3, 80))).reshape(
        3, 80
    )
    first = correlation * common + (1 - correlation) * own + shift
    second = correlation * common + (1 - correlation) * other
    p = compare(BootstrapEither(resamples=DRAWS), first, second).p
    if 0.005 < p < 0.9:  # within what the draws can tell, a level below p is not significant, and one above it is
        assert max(lower_bounds(first, second, p * 0.75)) < 0 < max(lower_bounds(first, second, min(p * 1.3, 0.95)))
    else:
        assert (max(lower_bounds(first, second, 0.05)) > 0) == (p < 0.05)


def test_the_more_favourable_of_two_tests():
    """Paired differences decide where systems agree on which segments are hard, means where they share few segments."""
    hard = np.linspace(0, 100, 40)
    alike = compare(BootstrapEither(), hard + np.tile([1.0, 2.0], 20), hard)
    assert alike.p < 0.01
    few = np.full((2, 60), np.nan)
    few[0, :31], few[1, 29:] = 80 + np.arange(31) % 7, 60 + np.arange(31) % 5
    few[0, 29], few[1, 29] = 60.0, 64.0  # in the only segments of both, the other system leads
    few[0, 30], few[1, 30] = 61.0, 64.0
    assert compare(BootstrapEither(), *few).p < 0.01


def test_every_p_value_can_be_used():
    for first, second in random_pairs(300, is_paired=True):
        found = compare(BootstrapEither(resamples=60), first, second)
        if found.reason is None:
            assert 0 < found.p <= 1
        else:
            assert np.isnan(found.p)
            assert found.reason in (
                "a system has fewer than two segments",
                "the scores do not vary",
                "a score is undefined",
            )


def test_a_system_and_its_copy():
    values = np.random.default_rng(3).normal(size=50)
    assert compare(BootstrapEither(), values, values).p == 1.0
    assert compare(BootstrapEither(), np.ones(5), np.ones(6)).reason == "the scores do not vary"
    assert compare(BootstrapEither(), np.ones(5), np.zeros(5)).reason == "the scores do not vary"


def test_both_directions_and_the_seed():
    random = np.random.default_rng(8)
    first, second = (Scorable.of_segments(random.normal(size=30), (name,)) for name in "ab")
    tested = BootstrapEither(resamples=200)
    better, worse = tested.both_p_values(first, second)
    assert (better, worse) == (tested.p_value(first, second), tested.both_p_values(first, second)[1])
    assert better.p != BootstrapEither(resamples=200, seed=5).p_value(first, second).p
    assert min(better.p, worse.p) < 0.5
