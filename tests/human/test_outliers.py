from __future__ import annotations

import math

import pytest

from assay.errors import ConfigError
from assay.human.outliers import find_outliers

SCORES = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "far": 20.0}


def test_distance_is_in_scaled_median_deviations():
    """Median 3; deviations 2 1 0 1 17, median 1."""
    found = find_outliers(SCORES)
    assert (found.median, found.mad) == (3.0, 1.4826)
    assert found.systems == ("far",)
    assert found.distances["far"] == pytest.approx(17 / 1.4826)
    assert found.reason is None


def test_both_directions_count_and_the_bound_is_strict():
    found = find_outliers({**SCORES, "low": -20.0, "e": 3.0})
    assert found.systems == ("far", "low")
    distance = find_outliers(SCORES).distances["far"]
    assert find_outliers(SCORES, cutoff=distance).systems == ()
    assert find_outliers(SCORES, cutoff=math.nextafter(distance, 0)).systems == ("far",)


def test_without_a_scale_there_are_no_outliers():
    found = find_outliers({"a": 1.0, "b": 1.0, "c": 1.0, "far": 9.0})
    assert found.systems == ()
    assert found.mad == 0
    assert all(math.isnan(distance) for distance in found.distances.values())
    assert "MAD 0" in found.reason
    assert find_outliers({"a": 1.0}).reason == found.reason


def test_systems_that_were_not_judged_take_no_part():
    found = find_outliers({**SCORES, "unseen": math.nan})
    assert (found.systems, found.median) == (("far",), 3.0)
    assert math.isnan(found.distances["unseen"])
    nothing = find_outliers({"unseen": math.nan})
    assert (nothing.systems, nothing.reason) == ((), "no system has a human score")
    assert find_outliers({}).systems == ()


@pytest.mark.parametrize("cutoff", [0.0, -1.0, math.nan, math.inf])
def test_the_cutoff_is_checked(cutoff):
    with pytest.raises(ConfigError, match="cutoff must be positive"):
        find_outliers(SCORES, cutoff=cutoff)
