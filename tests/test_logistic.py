from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from assay.logistic import fit_logistic, log_odds, sigmoid, weighted_sum


def made_up(seed, *, rows=80, columns=3):
    """Columns, and outcomes that depend on them."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(columns, rows))
    outcomes = (random.random(rows) < sigmoid(weighted_sum(x, random.normal(size=columns)))).astype(float)
    return x, outcomes


def loss(x, outcomes, penalty, point):
    logits = point @ x
    return (np.logaddexp(0, logits) - outcomes * logits).sum() + (penalty * point**2).sum() / 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lowest", [-np.inf, 0.0])
def test_no_other_optimiser_does_better(seed, lowest):
    x, outcomes = made_up(seed)
    penalty, least = np.array([0.1, 1.0, 10.0]), np.full(3, lowest)
    found = fit_logistic(x, outcomes, penalty, start=np.full(3, 0.5), least=least)
    bounds = [(None if np.isinf(lowest) else lowest, None)] * 3
    options = {"ftol": 1e-15, "gtol": 1e-10}
    other = minimize(lambda point: loss(x, outcomes, penalty, point), np.full(3, 0.1), bounds=bounds, options=options)
    assert loss(x, outcomes, penalty, found) <= other.fun + 1e-9
    np.testing.assert_allclose(found, other.x, atol=1e-4)
    assert (found >= lowest).all()


@given(st.integers(0, 100))
def test_the_start_does_not_matter(seed):
    x, outcomes = made_up(seed, rows=30)
    ends = [fit_logistic(x, outcomes, np.ones(3), start=np.full(3, start)) for start in (0.0, 5.0, -20.0)]
    for end in ends[1:]:
        np.testing.assert_allclose(end, ends[0], atol=1e-7)


def test_counts_are_repeated_rows():
    x, outcomes = made_up(1)
    counts = np.arange(80) % 3
    counted = fit_logistic(x, outcomes, np.ones(3), start=np.zeros(3), counts=counts.astype(float))
    repeated = fit_logistic(np.repeat(x, counts, axis=1), np.repeat(outcomes, counts), np.ones(3), start=np.zeros(3))
    np.testing.assert_allclose(counted, repeated, atol=1e-8)


def test_sigmoid_of_large_numbers():
    assert sigmoid(np.array([-1e9, 0.0, 1e9])).tolist() == [pytest.approx(0, abs=1e-200), 0.5, 1.0]


@given(st.floats(-50, 50))
def test_the_sigmoid_of_opposite_numbers_adds_up_to_one(x):
    assert sum(sigmoid(np.array([x, -x]))) == pytest.approx(1, abs=1e-15)


def test_log_odds_are_the_inverse():
    shares = np.array([0.01, 0.5, 0.9])
    assert np.allclose(sigmoid(log_odds(shares)), shares)
