from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from assay.calibration.rival_fits import fit_constant, fit_logistic_curve


def test_logistic_as_scikit_learn():
    random = np.random.Generator(np.random.PCG64(3))
    x = random.normal(size=400)
    y = (random.random(400) < 1 / (1 + np.exp(-(0.3 + 1.7 * x)))).astype(np.float64)
    oracle = LogisticRegression(C=np.inf, tol=1e-10).fit(x[:, np.newaxis], y)
    assert fit_logistic_curve(x, y)(x) == pytest.approx(oracle.predict_proba(x[:, np.newaxis])[:, 1], abs=1e-5)


def test_a_separable_logistic_fit_stays_finite():
    p = fit_logistic_curve(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.0, 1.0, 1.0]))(np.array([0.0, 2.5, 9.0]))
    assert p[0] < 1e-3
    assert p[1] == pytest.approx(0.5)
    assert p[2] > 1 - 1e-3


def test_the_base_rate():
    assert fit_constant(np.arange(4.0), np.array([0.0, 0.0, 0.0, 1.0]))(np.zeros(2)).tolist() == [0.25, 0.25]
