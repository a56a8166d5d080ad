from __future__ import annotations

import numpy as np

from assay.results.p_values import are_bounds


def test_bounds():
    p_values = np.array([1 / 100, 1 / 100 * (1 + 1e-12), 2 / 100, 0.0, np.nan])
    assert are_bounds(p_values, 1 / 100).tolist() == [True, True, False, True, False]
    assert not are_bounds(p_values, 0.0).any()  # the test draws nothing: a p-value of 0 is only very low
    assert are_bounds(p_values[:2], np.array([0.01, np.nan])).tolist() == [True, False]
