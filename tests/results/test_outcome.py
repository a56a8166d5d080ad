from __future__ import annotations

import math

import numpy as np

from assay.results.outcome import is_significant


def test_p_below_alpha_is_significant():
    assert is_significant(0.049, 0.05)
    assert not is_significant(0.05, 0.05)
    assert not is_significant(math.nan, 0.05)
    assert is_significant(np.array([0.01, 0.05, np.nan]), 0.05).tolist() == [True, False, False]
