from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.ranks import average_ranks, tie_term, upper_tail
from tests.significance.vectors import random_pairs


def test_average_ranks_as_scipy():
    for values, _ in random_pairs(500, is_paired=False):
        assert average_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_zero_has_no_sign():
    assert average_ranks(np.array([0.0, -0.0, 1.0])).tolist() == [1.5, 1.5, 3.0]


def test_tie_term_by_counting():
    for values, _ in random_pairs(500, is_paired=False):
        counts = [values.tolist().count(value) for value in set(values.tolist())]
        assert tie_term(average_ranks(values)) == sum(t**3 - t for t in counts)


def test_the_tail_is_never_0():
    assert upper_tail(0.0) == 0.5
    assert upper_tail(1.0) == pytest.approx(math.erfc(1 / math.sqrt(2)) / 2, rel=1e-14)
    assert upper_tail(-50.0) == 1.0
    assert 0 < upper_tail(50.0) < 1e-300
