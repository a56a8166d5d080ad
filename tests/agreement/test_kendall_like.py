"""DA to relative ranking."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.kendall_like import KendallLike
from assay.errors import ConfigError
from tests.agreement.twins import batch_of


@pytest.mark.parametrize(("threshold", "value", "pairs"), [(25, 3 / 5, 5), (1, 2 / 6, 6)])
def test_known_values(threshold, value, pairs):
    """From mt-metrics-eval's tests: g = [10, 11, 100, 150], m = [2, 1, 4, 3]."""
    found = KendallLike(threshold).compute(batch_of([2, 1, 4, 3], [10, 11, 100, 150]))
    assert found.values[0] == pytest.approx(value)
    assert found.weights.tolist() == [pairs]


def test_a_gap():
    found = KendallLike(1).compute(batch_of([2, 1, 4, 3], [10, np.nan, 100, 150]))
    assert found.values[0] == pytest.approx(1 / 3)


def test_ties():
    assert KendallLike(25).compute(batch_of([1, 1], [0, 25])).values.tolist() == [-1]
    assert np.isnan(KendallLike(0).compute(batch_of([1, 1], [1, 1])).values[0])
    assert KendallLike(0).compute(batch_of([1, 2, 3], [1, 1, 2])).weights.tolist() == [2]


def test_the_threshold_belongs_to_it():
    """Also where a stored score was rounded, unless told otherwise."""
    for gap, tolerance, pairs in ((25, 0, 1), (24.9999995, 1e-6, 1), (24.9999995, 0, 0), (24.99, 1e-6, 0)):
        assert KendallLike(25, tolerance).compute(batch_of([1, 2], [0, gap])).weights.tolist() == [pairs]


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_thresholds_are_not_negative(wrong):
    with pytest.raises(ConfigError, match="must not be negative"):
        KendallLike(wrong)
    with pytest.raises(ConfigError, match="must not be negative"):
        KendallLike(25, wrong)


@pytest.mark.parametrize(
    ("threshold", "reason"), [(25, "no two human scores differ by at least 25"), (0, "no two human scores differ")]
)
def test_says_why_there_is_no_value(threshold, reason):
    assert KendallLike(threshold).compute(batch_of([1, 2], [3, 3])).reason == reason
