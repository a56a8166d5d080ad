from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from assay.calibration.preference_fit import fit_preference


def made_up(seed, *, rows=120, columns=3):
    """Correlated differences, and who wins by a noisy sum of them."""
    random = np.random.default_rng(seed)
    shared = random.normal(size=(rows, 1))
    x = shared + random.normal(size=(rows, columns))
    leaning = x @ random.normal(size=columns) + random.logistic(size=rows)
    return x, (leaning > 1).astype(float), (leaning < -1).astype(float)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ridge", [0.01, 10.0])
@pytest.mark.parametrize("free", [(), (2,)])
def test_no_other_optimiser_does_better(seed, ridge, free):
    x, first, second = made_up(seed)
    rows, outcomes = np.concatenate([x, -x]), np.concatenate([first, second])
    penalty = np.array([1.0 if place in free else ridge for place in range(3)])

    def loss(point):
        leaning = rows @ point[:-1] - point[-1]
        return (np.logaddexp(0, leaning) - outcomes * leaning).sum() + (penalty * point[:-1] ** 2).sum() / 2

    fit = fit_preference(x, first, second, ridge=ridge, free=free)
    bounds = [(None if place in free else 0, None) for place in range(3)] + [(None, None)]
    other = minimize(loss, np.full(4, 0.1), method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-14, "gtol": 1e-10})
    found = np.append(fit.weights, fit.threshold)
    assert loss(found) <= other.fun + 1e-6
    np.testing.assert_allclose(found, other.x, atol=2e-3)
    assert all(weight >= 0 for place, weight in enumerate(fit.weights) if place not in free)


@given(seed=st.integers(0, 50))
def test_swapped_sides_have_swapped_probabilities(seed):
    x, first, second = made_up(seed, rows=40)
    fit = fit_preference(x, first, second, ridge=1.0)
    swapped = fit_preference(-x, second, first, ridge=1.0)
    np.testing.assert_allclose(fit(x), swapped(-x)[::-1], atol=1e-6)
    better, worse = fit(x)
    np.testing.assert_array_equal(fit(-x), (worse, better))


def test_weights_count_rows():
    x, first, second = made_up(1, rows=30)
    counts = np.arange(30) % 3
    weighted = fit_preference(x, first, second, ridge=1.0, weights=counts.astype(float))
    repeated = fit_preference(*(np.repeat(each, counts, axis=0) for each in (x, first, second)), ridge=1.0)
    np.testing.assert_allclose(weighted.weights, repeated.weights, atol=1e-7)


def test_a_start_does_not_change_the_fit():
    x, first, second = made_up(2)
    fit = fit_preference(x, first, second, ridge=1.0)
    again = fit_preference(x, first, second, ridge=1.0, start=fit_preference(x, second, first, ridge=1.0))
    np.testing.assert_allclose(fit.weights, again.weights, atol=1e-7)


@pytest.mark.parametrize("side", [0.0, 1.0])
def test_outcomes_that_never_differ_have_a_finite_fit(side):
    x, first, _ = made_up(3, rows=10)
    fit = fit_preference(x, np.full_like(first, side), np.full_like(first, side), ridge=1.0)
    assert np.isfinite(fit(x)).all()
