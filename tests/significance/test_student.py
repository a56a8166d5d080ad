from __future__ import annotations

import math

import numpy as np
import pytest

from assay.significance.student import mean_and_variance, outcome_of


def test_the_tail():
    # One degree of freedom is Cauchy's distribution: P(T >= t) = 1/2 - arctan(t) / pi.
    for t in (-3.0, -0.5, 0.1, 2.0, 1e6):
        assert outcome_of(t, 1.0, 1, 2).p == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-9)
    # Two degrees: 1/2 - t / (2 sqrt(2 + t^2)).
    assert outcome_of(3.0, 4.0, 2, 3).p == pytest.approx(0.5 - 1.5 / (2 * math.sqrt(4.25)), rel=1e-12)
    assert outcome_of(1e6, 1e-300, 1000, 1001).p > 0


def test_without_variance():
    assert outcome_of(0.0, 0.0, 5, 6).p == 1
    assert outcome_of(0.0, 1.0, 5, 6).p == 0.5
    found = outcome_of(1.0, 0.0, 5, 6)
    assert (math.isnan(found.p), found.n, found.reason) == (True, 6, "the scores do not vary")


def test_moments():
    assert mean_and_variance(np.array([1.0, 2.0, 6.0])) == (3.0, 7.0)
    assert np.full(3, 0.1).var(ddof=1) > 0  # what floats make of it
    assert mean_and_variance(np.full(3, 0.1)) == (0.1, 0.0)
    assert mean_and_variance(np.array([1.0, 1.5]), rounding=0.5) == (1.0, 0.0)
