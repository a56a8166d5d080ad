"""Deviations from the mean, in units of a power of two."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from assay.agreement.deviations import deviations


@pytest.mark.parametrize(
    "x", [[1e8 + 1e-7, 1e8, 1e8 + 3e-7], [-1.7e308, 1.7e308, 0], [5e-324, 0, 2e-323], [0.1, 0.2, 7]]
)
def test_proportional_to_exact_ones(x):
    found = deviations(np.array([x]), np.ones((1, 3), dtype=bool))[:, 0].tolist()
    exact = [Fraction(v) - sum(map(Fraction, x)) / 3 for v in x]
    unit = exact[0] / Fraction(found[0])
    for a, b in zip(found, exact, strict=True):
        assert float(Fraction(a) * unit / max(map(abs, exact))) == pytest.approx(
            float(b / max(map(abs, exact))), abs=1e-15
        )


def test_together_they_share_a_unit():
    x = np.array([[1.0, 2.0], [0.0, 1000.0]])
    given = np.ones((2, 2), dtype=bool)
    apart, together = (deviations(x, given, together=t) for t in (False, True))
    assert (apart[1] / apart[0]).tolist() == [-1, -1]
    assert together[1, 1] / together[1, 0] == 1000


def test_nothing_deviates():
    given = np.array([[True, True, False], [False, False, False], [True, True, True]])
    assert not deviations(np.array([[0.1, 0.1, 9], [1, 2, 3], [0.3] * 3]), given).any()
