from __future__ import annotations

import math

import numpy as np
import pytest

from assay.metaeval.averages import average_over_pairs, combined_bounds
from assay.study.agree import agree
from assay.types import ScoreTable


def agreement(seed, systems=8, segments=5, spec="pearson", **options):
    values = np.random.default_rng(seed).normal(size=(2, systems, segments))
    names = tuple("abcdefghijkl"[:systems])
    metric = ScoreTable("m", "segment", names, values[0] + values[1])
    human = ScoreTable("h", "segment", names, values[1], protocol="DA-z")
    return agree(metric, human, spec, outliers="keep", **options)


def test_joint_draws_of_independent_pairs():
    """Pairs of the same size have the same draws, but resamples of one joint draw must not come from the same."""
    options = {"level": "system", "ci": "systems", "resamples": 500}
    pairs = {"de-en": agreement(1, **options), "en-de": agreement(2, **options), "fi-en": agreement(3, **options)}
    found = average_over_pairs(pairs, is_pooled=False)
    assert found.value == pytest.approx(np.mean([each.value for each in pairs.values()]))
    joint = np.mean([np.roll(each.replicates, k) for k, each in enumerate(pairs.values())], axis=0)
    assert (found.low, found.high) == pytest.approx(np.quantile(joint, [0.025, 0.975]))
    assert (found.n, found.basis.method, found.basis.n, found.basis.resamples) == (3, "systems", 24, 500)
    twice = average_over_pairs({"x": pairs["de-en"], "y": pairs["de-en"]}, is_pooled=False)
    alone = pairs["de-en"].estimate
    assert twice.standard_error == pytest.approx(alone.standard_error / math.sqrt(2), rel=0.1)


def test_one_pair_has_the_interval_of_its_value():
    for options in ({"level": "system"}, {"level": "system", "ci": "systems"}, {"grouping": "item"}):
        one = agreement(1, **options)
        found = average_over_pairs({"de-en": one}, is_pooled=False)
        assert (found.low, found.high) == pytest.approx(one.interval, abs=1e-15)


def test_fisher_intervals_are_combined_by_their_distances_to_the_bounds():
    pairs = {"de-en": agreement(1, level="system"), "en-de": agreement(2, level="system")}
    found = average_over_pairs(pairs, is_pooled=False)
    values = np.array([each.value for each in pairs.values()])
    bounds = np.array([each.interval for each in pairs.values()])
    assert found.low == pytest.approx(values.mean() - np.sqrt(((values - bounds[:, 0]) ** 2).sum()) / 2)
    assert found.high == pytest.approx(values.mean() + np.sqrt(((bounds[:, 1] - values) ** 2).sum()) / 2)
    assert found.basis.to_dict()["method"] == "fisher"
    assert combined_bounds(
        values, np.array([[v - 0.1, v + 0.1] for v in values]), np.array([0.5, 0.5])
    ) == pytest.approx((values.mean() - 0.1 / math.sqrt(2), values.mean() + 0.1 / math.sqrt(2)))


def test_a_pooled_average_weights_its_draws():
    pairs = {"a": agreement(1, 6, spec="acc23", level="system"), "b": agreement(2, 9, spec="acc23", level="system")}
    found = average_over_pairs(pairs, is_pooled=True)
    weights = np.array([15, 36]) / 51
    joint = weights @ np.array([pairs["a"].replicates, np.roll(pairs["b"].replicates, 1)])
    assert (found.low, found.high) == pytest.approx(np.quantile(joint, [0.025, 0.975]))


def test_an_average_without_an_interval():
    defined, few = agreement(1, level="system"), agreement(2, systems=3, level="system")
    found = average_over_pairs({"a": defined, "b": few}, is_pooled=False)
    assert math.isnan(found.low)
    assert found.reason == "no interval: a language pair has none"
    assert average_over_pairs({"a": defined, "b": None}, is_pooled=False).reason == "no value for b"
    none = agreement(1, level="system", resamples=0)
    found = average_over_pairs({"a": none}, is_pooled=False)
    assert (found.reason, found.basis) == (None, None)


def test_a_pair_whose_resamples_are_all_equal_counts_as_such():
    names = tuple("abcd")
    order = ScoreTable("m", "system", names, np.array([[1.0], [2.0], [3.0], [4.0]]))
    perfect = agree(order, ScoreTable("h", "system", names, order.values, protocol="DA-z"), "acc23", outliers="keep")
    assert perfect.reason == "no interval: every resample has the same value"
    other = agreement(2, spec="acc23", level="system")
    found = average_over_pairs({"a": perfect, "b": other}, is_pooled=False)
    assert (found.low, found.high) == pytest.approx(tuple((1 + bound) / 2 for bound in other.interval))
    alone = average_over_pairs({"a": perfect}, is_pooled=False)
    assert alone.reason == "no interval: every resample has the same value"


def test_undefined_draws_are_counted():
    options = {"level": "system", "ci": "systems", "resamples": 300}
    pairs = {"a": agreement(1, systems=3, **options), "b": agreement(2, systems=3, **options)}
    found = average_over_pairs(pairs, is_pooled=False)
    joint = pairs["a"].replicates + np.roll(pairs["b"].replicates, 1)
    assert found.basis.resamples_undefined == np.isnan(joint).sum() > 0
    assert found.reason == f"undefined in {np.isnan(joint).sum()} of 300 resamples"
