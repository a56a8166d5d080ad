from __future__ import annotations

import math

import numpy as np
import pytest

from assay.agreement.kendall import Kendall
from assay.agreement.pearson import Pearson
from assay.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from assay.errors import ConfigError, InputError
from assay.metaeval.alignment import align
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import IntervalOptions, interval_method
from assay.types import ScoreTable

SYSTEMS = tuple("abcde")


@pytest.fixture
def tables():
    random = np.random.default_rng(5)
    values = random.normal(size=(2, 5, 8))
    return (
        ScoreTable("m", "segment", SYSTEMS, values[0] + values[1]),
        ScoreTable("h", "segment", SYSTEMS, values[1], protocol="DA-z"),
    )


def test_the_mean_over_groups(tables):
    found = GroupedStatistic(Pearson(), "segment", "item").evaluate(align(*tables))
    expected = [np.corrcoef(tables[0].values[:, k], tables[1].values[:, k])[0, 1] for k in range(8)]
    assert found.value == pytest.approx(np.mean(expected))
    assert (found.groups, found.groups_undefined, found.n) == (8, 0, 40)
    assert found.settings["statistic"] == "pearson"


def test_an_interval_needs_resamples_and_a_statistic_that_has_one(tables):
    aligned = align(*tables, level="system")
    assert math.isnan(GroupedStatistic(Pearson()).evaluate(aligned).estimate.low)
    found = GroupedStatistic(Pearson(), intervals=IntervalOptions(resamples=50)).evaluate(aligned)
    assert found.estimate.low <= found.value <= found.estimate.high
    assert (found.settings["ci"], found.settings["confidence"]) == ("fisher", "0.95")
    over_segments = IntervalOptions(interval_method.create("segments"))
    spa = GroupedStatistic(SoftPairwiseAccuracy(), intervals=over_segments).evaluate(align(*tables))
    assert spa.reason == "no interval: every resample would need its own p-values"
    assert "ci" not in spa.settings


def test_chance(tables):
    found = GroupedStatistic(Kendall(), "segment", "item").chance(align(*tables), 200)
    assert found.value == pytest.approx(0.0, abs=0.05)
    assert found.estimate.standard_deviation > 0
    assert found.hits is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "word"}, "unknown level 'word'"),
        ({"grouping": "segment"}, "unknown grouping 'segment'"),
        ({"average": "median"}, "unknown average 'median'"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        GroupedStatistic(Pearson(), **options)


def test_statistics_of_another_level_are_an_error(tables):
    with pytest.raises(ConfigError, match="grouping by item needs segment scores"):
        GroupedStatistic(Pearson(), "system", "item")
    with pytest.raises(ConfigError, match="soft-pairwise-accuracy is not defined at the segment level"):
        GroupedStatistic(SoftPairwiseAccuracy(), "segment")
    with pytest.raises(InputError, match="pearson needs segment scores of"):
        GroupedStatistic(Pearson(), "segment").evaluate(align(*tables, level="system"))
    with pytest.raises(InputError, match="needs segment scores of the metric and of the human raters"):
        GroupedStatistic(SoftPairwiseAccuracy()).evaluate(align(*tables, level="system"))


@pytest.mark.parametrize(
    ("metric", "human", "reason"),
    [
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], "constant"),
        ([1.0, np.nan, np.nan], [1.0, 2.0, 3.0], "no group has two scores"),
        ([1.0, np.nan, np.nan], [np.nan, 2.0, 3.0], "have no cell in common"),
    ],
)
def test_why_a_value_is_undefined(metric, human, reason):
    scores = ScoreTable("m", "system", ("a", "b", "c"), np.array(metric)[:, np.newaxis])
    judged = ScoreTable("h", "system", ("a", "b", "c"), np.array(human)[:, np.newaxis], protocol="DA-z")
    found = GroupedStatistic(Pearson()).evaluate(align(scores, judged))
    assert math.isnan(found.value)
    assert reason in found.reason


def test_scores_of_systems_are_kept_for_charts(tables):
    found = GroupedStatistic(Pearson()).evaluate(align(*tables, level="system"))
    assert found.scores == pytest.approx(np.stack([table.values.mean(axis=1) for table in tables], axis=1))
    assert GroupedStatistic(Pearson(), "segment", "item").evaluate(align(*tables)).scores is None
