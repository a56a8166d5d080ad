from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from assay.calibration.isotonic import Points, fit_constant, fit_isotonic, fit_logistic

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=60)


@given(PAIRS)
def test_as_scikit_learn(pairs):
    x, y = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    fit = fit_isotonic(x, y)
    oracle = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    assert fit(np.unique(x)) == pytest.approx(oracle.predict(np.unique(x)), abs=1e-12)
    places = np.linspace(-1, 13, 57)
    below = [max((seen for seen in x if seen <= place), default=x.min()) for place in places]
    assert fit(places).tolist() == fit(np.array(below)).tolist()


@given(PAIRS, st.data())
def test_weights_are_repetitions(pairs, data):
    x, y = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x))))
    if not weights.any():
        return
    repeated = fit_isotonic(np.repeat(x, weights), np.repeat(y, weights))
    weighted = Points.of(x).fit(y, weights.astype(np.float64))
    assert weighted.x.tolist() == repeated.x.tolist()
    assert weighted.y == pytest.approx(repeated.y, abs=1e-12)


def test_support_counts_the_pairs_that_differ_at_least_so_much():
    fit = fit_isotonic(np.array([1.0, 1.0, 2.0, 3.0, 4.0, 5.0]), np.array([0.0, 0.0, 1.0, 0.0, 1.0, 1.0]))
    assert fit.y.tolist() == [0, 0.5, 0.5, 1, 1]
    assert fit.support.tolist() == [6, 4, 3, 2, 1]


def test_logistic_as_scikit_learn():
    random = np.random.Generator(np.random.PCG64(3))
    x = random.normal(size=400)
    y = (random.random(400) < 1 / (1 + np.exp(-(0.3 + 1.7 * x)))).astype(np.float64)
    oracle = LogisticRegression(C=np.inf, tol=1e-10).fit(x[:, np.newaxis], y)
    assert fit_logistic(x, y)(x) == pytest.approx(oracle.predict_proba(x[:, np.newaxis])[:, 1], abs=1e-5)


def test_a_separable_logistic_fit_stays_finite():
    p = fit_logistic(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.0, 1.0, 1.0]))(np.array([0.0, 2.5, 9.0]))
    assert p[0] < 1e-3
    assert p[1] == pytest.approx(0.5)
    assert p[2] > 1 - 1e-3


def test_the_base_rate():
    assert fit_constant(np.arange(4.0), np.array([0.0, 0.0, 0.0, 1.0]))(np.zeros(2)).tolist() == [0.25, 0.25]
