from __future__ import annotations

import math
import statistics

import pytest

from assay.errors import ConfigError
from assay.human.outliers import OutlierRule, find_outliers

SCORES = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "far": 20.0}


def test_distance_is_in_scaled_median_deviations():
    """Median 3; deviations 2 1 0 1 17, median 1."""
    found = find_outliers(SCORES)
    assert (found.rule, found.center, found.scale) == ("mad", 3.0, 1.4826)
    assert found.systems == ("far",)
    assert found.distances["far"] == pytest.approx(17 / 1.4826)
    assert found.reason is None


def test_both_directions_count_and_the_bound_is_strict():
    found = find_outliers({**SCORES, "low": -20.0, "e": 3.0})
    assert found.systems == ("far", "low")
    distance = find_outliers(SCORES).distances["far"]
    assert find_outliers(SCORES, OutlierRule(cutoff=distance)).systems == ()
    assert find_outliers(SCORES, OutlierRule(cutoff=math.nextafter(distance, 0))).systems == ("far",)


def test_without_a_scale_there_are_no_outliers():
    found = find_outliers({"a": 1.0, "b": 1.0, "c": 1.0, "far": 9.0})
    assert found.systems == ()
    assert found.scale == 0
    assert all(math.isnan(distance) for distance in found.distances.values())
    assert "MAD 0" in found.reason
    assert find_outliers({"a": 1.0}).reason == found.reason


def test_systems_that_were_not_judged_take_no_part():
    found = find_outliers({**SCORES, "unseen": math.nan})
    assert (found.systems, found.center) == (("far",), 3.0)
    assert math.isnan(found.distances["unseen"])
    nothing = find_outliers({"unseen": math.nan})
    assert (nothing.systems, nothing.reason) == ((), "no system has a human score")
    assert find_outliers({}).systems == ()


@pytest.mark.parametrize("cutoff", [0.0, -1.0, math.nan, math.inf])
def test_the_cutoff_is_checked(cutoff):
    with pytest.raises(ConfigError, match="cutoff must be positive"):
        find_outliers(SCORES, OutlierRule(cutoff=cutoff))


def test_z_scores():
    found = find_outliers(SCORES, OutlierRule("z", 1.7))
    scores = list(SCORES.values())
    assert (found.rule, found.center, found.scale) == ("z", 6.0, pytest.approx(statistics.stdev(scores)))
    assert found.systems == ("far",)
    assert found.distances["far"] == pytest.approx(14 / statistics.stdev(scores))
    # Of n systems, none is further than (n - 1) / sqrt(n) standard deviations from the mean.
    assert find_outliers({**SCORES, "far": 1e9}, OutlierRule("z", 4 / math.sqrt(5) + 1e-9)).systems == ()


def test_z_scores_of_equal_scores():
    assert find_outliers({"a": 1.0, "b": 1.0}, OutlierRule("z")).reason.startswith("the human scores do not vary")
    assert find_outliers({"a": 1.0}, OutlierRule("z")).systems == ()


def test_the_rule_is_checked_and_named():
    with pytest.raises(ConfigError, match="unknown outlier_rule 'iqr'"):
        OutlierRule("iqr")
    assert OutlierRule().settings == {"cutoff": "2.5"}
    assert OutlierRule("z", 3).settings == {"outlier_rule": "z", "cutoff": "3"}
