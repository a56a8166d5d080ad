"""p-values counted over draws."""

from __future__ import annotations

import numpy as np
import pytest

from assay.metric_tests.drawing import counted_p, smallest_drawn_p

DRAWS = np.array([[0.0, 1.0, 2.0, np.nan]])


def test_undefined_draws_count_as_higher_in_both_directions():
    better, worse = counted_p(np.array([1.0]), DRAWS, "one", "share")
    assert (better[0], worse[0]) == (3 / 4, 3 / 4)
    assert counted_p(np.array([1.0]), DRAWS, "one", "add-one")[0][0] == 4 / 5
    assert np.isnan(counted_p(np.array([np.nan]), DRAWS, "two", "share")[0][0])


@pytest.mark.parametrize(("p_rule", "expected"), [("add-one", 1 / 100), ("share", 0.0)])
def test_the_smallest_p_value(p_rule, expected):
    assert smallest_drawn_p(99, p_rule) == expected
    draws = np.linspace(-1, 1, 99)[np.newaxis]
    assert counted_p(np.array([2.0]), draws, "one", p_rule)[0][0] == expected
