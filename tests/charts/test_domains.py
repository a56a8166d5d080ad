from __future__ import annotations

import math

import pytest

from assay.charts.domains import aligned_domains


def test_zeros_are_below_each_other():
    (low, high), (other_low, other_high) = aligned_domains([[2.0, 1.0, 4.0], [-0.3, math.nan]])
    assert low / high == pytest.approx(other_low / other_high)
    assert low < 0
    assert high > 4
    assert other_low < -0.3


def test_each_group_is_as_wide_as_its_largest_value_asks_for():
    (_, high), (_, small) = aligned_domains([[30.0], [0.03]])
    assert high == pytest.approx(1000 * small)


def test_a_group_without_values_has_a_range():
    assert all(low < 0 < high for low, high in aligned_domains([[], [math.nan, math.inf], [0.0]]))
