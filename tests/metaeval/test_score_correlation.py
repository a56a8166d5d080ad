from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from tests.study.test_correlate import CAMPAIGNS, campaign, correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_intervals_draw_whole_test_sets(result):
    each = result["bleu", "m-bleu"]
    labels = np.array([label for label, _ in result.systems])
    groups = [np.flatnonzero(labels == label) for label in dict.fromkeys(labels)]
    draws = np.random.default_rng(12345).integers(6, size=(50, 6))
    x, y = result.scores["bleu"], result.scores["m-bleu"]
    values = [
        np.corrcoef(x[rows], y[rows])[0, 1] for draw in draws for rows in [np.concatenate([groups[k] for k in draw])]
    ]
    assert (each.pooled.low, each.pooled.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_few_test_sets_have_no_interval_and_two_systems_no_value():
    few = assay.correlate(CAMPAIGNS[:4], metrics="bleu", agg="corpus,segment")
    assert math.isnan(few.correlations[0].pooled.low)
    assert few.correlations[0].pooled.reason == "no interval: fewer than 5 test sets and language pairs"
    two = assay.correlate(campaign(1, systems=2), metrics="bleu", agg="corpus,segment")
    assert math.isnan(two.correlations[0].pooled.value)
    assert two.correlations[0].pooled.reason == "fewer than 3 systems"
