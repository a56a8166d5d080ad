from __future__ import annotations

import math

import numpy as np
import pytest

from assay.significance.student import mean_and_variance, t_test


def test_the_tail():
    # One degree of freedom is Cauchy's distribution: P(T >= t) = 1/2 - arctan(t) / pi.
    for t in (-3.0, -0.5, 0.1, 2.0, 1e6):
        assert t_test(t, 1.0, 1).p == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-9)
    # Two degrees: 1/2 - t / (2 sqrt(2 + t^2)).
    assert t_test(3.0, 4.0, 2).p == pytest.approx(0.5 - 1.5 / (2 * math.sqrt(4.25)), rel=1e-12)
    assert t_test(1e6, 1e-300, 1000).p > 0


def test_without_variance():
    assert t_test(0.0, 0.0, 5).p == 1
    assert t_test(0.0, 1.0, 5).p == 0.5
    undefined = t_test(1.0, 0.0, 5)
    assert (math.isnan(undefined.p), undefined.reason) == (True, "the scores do not vary")


def test_moments():
    assert mean_and_variance(np.array([1.0, 2.0, 6.0])) == (3.0, 7.0)
    assert np.full(3, 0.1).var(ddof=1) > 0  # what floats make of it
    assert mean_and_variance(np.full(3, 0.1)) == (0.1, 0.0)
    assert mean_and_variance(np.array([1.0, 1.5]), rounding=0.5) == (1.0, 0.0)
