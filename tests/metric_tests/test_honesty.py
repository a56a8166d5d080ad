"""Tests between metrics reject true nulls as often as they say: the short form of `make honesty`, with fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from scripts import honesty_of_metric_tests as honesty
from tests import archives

NULLS = 400
REJECTED = (0.02, 0.085)  # more than 2.7 standard errors around .05


@pytest.fixture(scope="module")
def pool():
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return honesty.load_pool()


EXACT = [
    (test, case)
    for test, cases in honesty.CASES.items()
    if test in honesty.EXACT_FOR
    for case in cases
    if case != honesty.SOFT or test == "perm-segments"
]


@pytest.mark.slow
@pytest.mark.parametrize(("test", "case"), EXACT, ids=lambda value: getattr(value, "label", value))
def test_exchanged_scores_are_rejected_at_the_level(pool, test, case):
    nulls = (honesty.EXACT_FOR[test],)
    (rate,) = honesty.rates(pool, test, case, NULLS, nulls, standardise=False)
    low = 0.0 if (test, case.label) in honesty.REASONS else REJECTED[0]
    assert low <= rate.rate <= REJECTED[1]


@pytest.mark.slow
def test_tests_that_swap_less_than_systems_reject_too_often(pool):
    """Noise with a system-level part: what the documentation warns of."""
    rejected = {
        test: next(honesty.rates(pool, test, honesty.ACCURACY, NULLS, ("noise:0.1",))).rate
        for test in ("pair-outcomes", "perm-segments")
    }
    assert rejected["pair-outcomes"] > 0.15
    assert rejected["pair-outcomes"] > rejected["perm-segments"] > 0.05


def test_williams_on_normal_scores():
    assert REJECTED[0] <= honesty.normal_rate(10, 0.8, 0.8, NULLS).rate <= REJECTED[1]


def test_pair_outcomes_on_exchanged_outcomes():
    assert REJECTED[0] <= honesty.outcome_rate(2000).rate <= REJECTED[1]


@pytest.mark.parametrize("by", honesty.EXCHANGES)
def test_exchanges(by):
    pair = np.stack([np.zeros((5, 40)), np.ones((5, 40))])
    made = honesty.exchanged(pair, by, np.random.default_rng(1))
    assert (made.sum(axis=0) == 1).all()
    swapped = made[0] == 1
    if by == "segment":
        assert (swapped == swapped[:1]).all()
    if by == "system":
        assert (swapped == swapped[:, :1]).all()
    if by == "both":
        assert ((swapped ^ swapped[:1]) == (swapped ^ swapped[:1])[:, :1]).all()
    assert 0 < swapped.mean() < 1


def test_limits_are_judged_only_where_a_test_is_exact():
    assert not honesty.Rate("perm-cells", "pearson", "cell", 0.07, 10_000, True).holds
    assert honesty.Rate("perm-cells", "pearson", "system", 0.2, 10_000, False).holds
    assert not honesty.Rate("perm-cells", "pearson", "cell", 0.02, 10_000, True).holds
    assert honesty.Rate("pair-outcomes", "outcomes", "outcomes", 0.03, 10_000, True).holds
