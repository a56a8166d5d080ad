from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from assay.calibration.isotonic import Points, fit_isotonic

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
