from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

from assay.calibration.curves import fit_curve, with_exact_ends
from assay.calibration.isotonic import Isotonic
from assay.calibration.outcomes import Observations
from assay.results import FittedPopulation

POPULATION = FittedPopulation("DA/SQM", language_pairs=6, pairs=180, segments=300.0, judgements=300.0)


def observations(clusters=6, campaigns=2, pairs=30, slope=0.5):
    random = np.random.Generator(np.random.PCG64(4))
    n = clusters * pairs
    x = random.exponential(3, n)
    y = (random.random(n) < 1 - np.exp(-slope * x)).astype(np.float64)
    cluster = np.repeat(np.arange(clusters), pairs)
    names = tuple(f"wmt{k}" for k in range(campaigns))
    segments = np.full(n, 300)
    return Observations(x, y, cluster, cluster % campaigns, segments, segments, names, np.array([0.5, 1.5, 4.0]))


def fit(observed, **changes):
    options = {"at": (2.0,), "resamples": 100, "seed": 3, "confidence": 0.9, **changes}
    return fit_curve(("m", "corpus"), "significant", POPULATION, observed, **options)


def test_cut_offs_as_scikit_learn():
    observed = observations()
    curve = fit(observed)
    oracle = IsotonicRegression(out_of_bounds="clip").fit(observed.x, observed.y)
    x = np.sort(observed.x)
    for level, cutoff in curve.cutoffs.items():
        assert cutoff.value == pytest.approx(x[np.flatnonzero(oracle.predict(x) >= level - 1e-9)[0]])
        assert cutoff.n == (observed.x >= cutoff.value).sum()
        assert cutoff.low <= cutoff.value <= cutoff.high or "beyond the observed differences" in cutoff.reason
    below = x[x <= 2.0][-1]
    assert curve.at[2.0].value == pytest.approx(oracle.predict([below])[0])
    assert curve.at[2.0].low < curve.at[2.0].value < curve.at[2.0].high
    assert (curve.reversed.value, curve.reversed.n) == (1.5, 3)


def test_cut_offs_and_probabilities_do_not_contradict_each_other():
    """At any difference, a line reaches a level if and only if the difference reaches the cut-off, or its end."""
    observed = observations(clusters=20)
    curve = fit(observed, confidence=0.95)
    x = np.concatenate([np.unique(observed.x), np.linspace(curve.x[0], curve.x[-1], 5000)])
    for level, cutoff in curve.cutoffs.items():
        for line, end in ((curve.y, cutoff.value), (curve.high, cutoff.low), (curve.low, cutoff.high)):
            reached = at(curve, line, x) >= level - 1e-9
            assert not math.isnan(end)
            assert reached.tolist() == (x >= end).tolist()


def at(curve, line, x):
    """A line of a curve at observed differences."""
    return line[np.searchsorted(curve.x, x, side="right") - 1]


def test_pairs_that_all_agree_have_an_exact_interval():
    """None of 30 pairs, and all of 40: Clopper and Pearson, as in SciPy."""
    isotonic = Isotonic(np.arange(3.0), np.array([0.0, 0.5, 1.0]), np.array([100, 70, 40]))
    low, high = with_exact_ends(isotonic, np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.8, 1.0]), 0.95)
    none, every = (binomtest(k, n).proportion_ci(0.95, method="exact") for k, n in ((0, 30), (40, 40)))
    assert low == pytest.approx([none.low, 0.2, every.low])
    assert high == pytest.approx([none.high, 0.8, every.high])


def test_no_end_of_a_curve_is_certain():
    """All resamples may say 0 or 1 there."""
    curve = fit(observations(clusters=20), confidence=0.95)
    assert curve.y[-1] == 1
    assert (curve.low < curve.high).all()
    assert all(curve.probability(x).reason is None for x in curve.x.tolist())


def test_an_exact_bound_is_not_beyond_that_of_the_adjacent_step():
    """Two pairs tell next to nothing, but the curve does not fall: it is no less certain than the step below."""
    isotonic = Isotonic(np.arange(4.0), np.array([0.0, 0.4, 0.8, 1.0]), np.array([90, 89, 50, 2]))
    low, high = with_exact_ends(isotonic, np.array([0.0, 0.3, 0.7, 1.0]), np.array([0.0, 0.5, 0.9, 1.0]), 0.95)
    assert low.tolist() == [0.0, 0.3, 0.7, 0.7]
    assert high.tolist() == [0.5, 0.5, 0.9, 1.0]


def test_no_interval_where_language_pairs_are_alike():
    alike = observations(clusters=5, pairs=2)
    alike = dataclasses.replace(alike, x=np.tile([1.0, 2.0], 5), y=np.tile([1.0, 0.0], 5))
    found = fit(alike).probability(1.5)
    assert (found.value, math.isnan(found.low)) == (0.5, True)
    assert found.reason == "no interval: all resamples agree"


def test_bounds_between_points_are_those_of_the_resamples():
    """Isotonic fits of scikit-learn to the same resamples, at every observed difference."""
    observed = observations(clusters=20)
    curve = fit(observed, confidence=0.95)
    x = np.unique(observed.x)
    assert len(curve.x) < len(x) / 2
    draws = np.random.Generator(np.random.PCG64(3)).multinomial(20, np.full(20, 1 / 20), size=100)
    replicates = []
    for weights in draws:
        weight = weights[observed.cluster].astype(float)
        used = weight > 0
        oracle = IsotonicRegression(out_of_bounds="clip").fit(observed.x[used], observed.y[used], weight[used])
        seen = np.unique(observed.x[used])
        replicates.append(oracle.predict(seen)[np.maximum(np.searchsorted(seen, x, side="right") - 1, 0)])
    low, high = np.quantile(replicates, (0.025, 0.975), axis=0)
    exact = IsotonicRegression().fit(observed.x, observed.y).predict(x)
    assert at(curve, curve.y, x) == pytest.approx(exact, abs=1e-12)
    inner = (exact > 0) & (exact < 1)  # not where all pairs agree
    assert at(curve, curve.low, x)[inner] == pytest.approx(low[inner], abs=0.005 + 1e-9)
    assert at(curve, curve.high, x)[inner] == pytest.approx(high[inner], abs=0.005 + 1e-9)


def test_held_out_campaigns_as_scikit_learn():
    observed = observations()
    predicted, base, floor = (np.empty(len(observed)) for _ in range(3))
    for campaign in (0, 1):
        held_out = observed.campaign == campaign
        x, y = observed.x[~held_out], observed.y[~held_out]
        fitted = IsotonicRegression(out_of_bounds="clip").fit(x, y)
        below = [max((seen for seen in x if seen <= place), default=x.min()) for place in observed.x[held_out]]
        predicted[held_out] = fitted.predict(below)
        base[held_out], floor[held_out] = y.mean(), 1 / (len(y) + 2)
    validation = fit(observed).validation
    assert validation.held_out == "campaign"
    assert validation.brier["isotonic"] == pytest.approx(brier_score_loss(observed.y, predicted))
    assert validation.brier["constant"] == pytest.approx(brier_score_loss(observed.y, base))
    clipped = np.clip(predicted, floor, 1 - floor)
    assert validation.log_loss["isotonic"] == pytest.approx(log_loss(observed.y, clipped))
    assert sum(each.pairs for each in validation.bins) == len(observed)


def test_a_level_that_is_not_reached():
    observed = observations(slope=0.02)
    cutoff = fit(observed).cutoffs[0.95]
    assert math.isnan(cutoff.value)
    assert cutoff.reason.startswith("no calibration: the highest probability is 0.")


def test_an_interval_beyond_the_data_is_left_out():
    observed = observations(slope=0.12)
    cutoffs = [cutoff for cutoff in fit(observed).cutoffs.values() if cutoff.reason and not math.isnan(cutoff.value)]
    assert cutoffs
    assert all(cutoff.reason.startswith("no interval: its upper end lies beyond ") for cutoff in cutoffs)


def test_one_language_pair_is_not_validated():
    curve = fit(observations(clusters=1, campaigns=1))
    assert curve.validation is None
    assert curve.reason == "no interval: 1 language pair, fewer than 5"
