from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.aggregate.resample import ClusterBootstrap
from assay.types import ScoreTable
from tests.study.test_correlate import CAMPAIGNS, campaign, correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_intervals_draw_whole_language_pairs(result):
    each = result["bleu", "m-bleu"]
    labels = np.array([label for label, _ in result.systems])
    groups = [np.flatnonzero(labels == label) for label in dict.fromkeys(labels)]
    weights = ClusterBootstrap(50, 12345).weights(6)
    x, y = result.scores["bleu"], result.scores["m-bleu"]
    drawn = [np.concatenate([np.tile(rows, k) for rows, k in zip(groups, draw, strict=True)]) for draw in weights]
    values = [np.corrcoef(x[rows], y[rows])[0, 1] for rows in drawn]
    assert (each.pooled.low, each.pooled.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    within = np.array([estimate.value for estimate in each.by_lp.values()])
    means = [np.average(within, weights=draw) for draw in weights]
    assert (each.mean.low, each.mean.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))


def test_few_language_pairs_have_no_interval_and_two_systems_no_value():
    few = assay.correlate(CAMPAIGNS[:4], metrics="bleu", agg="corpus,segment")
    for estimate in (few.correlations[0].pooled, few.correlations[0].mean):
        assert math.isnan(estimate.low)
        assert estimate.reason == "no interval: 4 language pairs, fewer than 5"
    (each,) = assay.correlate(CAMPAIGNS[:4], metrics="bleu", agg="corpus,segment", resamples=0)
    assert each.pooled.reason is None
    (each,) = assay.correlate(campaign(1, systems=2), metrics="bleu", agg="corpus,segment")
    assert math.isnan(each.pooled.value)
    assert each.pooled.reason == "fewer than 3 systems"
    assert (each.mean.n, each.mean.reason) == (0, "no language pair has a value")


def external(values, name):
    return ScoreTable(name, "system", tuple(f"s{k}" for k in range(len(values))), np.array(values)[:, np.newaxis])


def pooled(first, second, systems=5):
    """Two scores of systems in each of two language pairs."""
    sets = [campaign(1, systems=systems), campaign(2, systems=systems, lp="en-de")]
    tables = {
        each.lp: [external(first[place], "first"), external(second[place], "second")] for place, each in enumerate(sets)
    }
    return assay.correlate(sets, metrics="bleu", agg="corpus", external=tables)


@pytest.mark.warns("pooled values beyond")
def test_a_pooled_value_beyond_those_of_all_language_pairs_is_noted():
    rising, falling = np.arange(5.0), -np.arange(5.0)
    result = pooled([rising, rising + 100], [falling, falling + 100])
    each = result["first", "second"]
    assert each.pooled.value > 0.9
    assert each.mean.value == pytest.approx(-1)
    (note,) = [note for note in result.notes if "pooled" in note.text]
    assert note.severity == "warning"
    assert "first and second" in note.text
    alike = pooled([rising, rising], [rising, rising])
    assert not any("first and second" in note.text for note in alike.notes)


@pytest.mark.warns("pooled values beyond")
def test_language_pairs_with_few_systems_are_noted():
    notes = [note.text for note in pooled([np.arange(4.0)] * 2, [np.arange(4.0)] * 2, systems=4).notes]
    assert "the values of language pairs with fewer than 5 systems say little: made de-en (4), made en-de (4)" in notes
    notes = [note.text for note in pooled([np.arange(2.0)] * 2, [np.arange(2.0)] * 2, systems=2).notes]
    assert "no value for language pairs with fewer than 3 systems: made de-en (2), made en-de (2)" in notes
    assert not any("say little" in text for text in notes)


def test_a_constant_score_has_no_value():
    each = pooled([np.ones(5)] * 2, [np.arange(5.0)] * 2)["first", "second"]
    assert math.isnan(each.pooled.value)
    assert each.pooled.reason == "a score is the same for all systems"
