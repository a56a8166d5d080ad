from __future__ import annotations

import numpy as np
import pytest

from assay.charts.random_agreement import random_bound


@pytest.mark.parametrize(("systems", "bound"), [(4, 0.950), (7, 0.754), (14, 0.532)])
def test_critical_values_of_pearson(systems, bound):
    """Two-sided, 5 %: as in any table of critical values."""
    assert random_bound(systems) == pytest.approx(bound, abs=0.0005)


def test_random_metrics_fall_between_the_bounds():
    draws = np.random.default_rng(1).normal(size=(2, 4000, 7))
    centred = draws - draws.mean(axis=2, keepdims=True)
    r = (centred[0] * centred[1]).sum(axis=1) / np.sqrt((centred**2).sum(axis=2).prod(axis=0))
    assert np.mean(np.abs(r) <= random_bound(7)) == pytest.approx(0.95, abs=0.01)
