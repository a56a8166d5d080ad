from __future__ import annotations

import dataclasses
import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

from assay.calibration.curves import check_curve, fit_curve
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.outcomes import Observations
from assay.calibration.validation import Drawing
from assay.results import FittedPopulation

POPULATION = FittedPopulation("DA/SQM", lps={"wmt0": ("cs-en",)}, pairs=180, segments=300.0, judgements=300.0)


def observations(clusters=6, campaigns=2, pairs=30, slope=0.5):
    random = np.random.Generator(np.random.PCG64(4))
    n = clusters * pairs
    x = random.exponential(3, n)
    y = (random.random(n) < 1 - np.exp(-slope * x)).astype(np.float64)
    cluster = np.repeat(np.arange(clusters), pairs)
    names = tuple((f"wmt{k % campaigns}", f"x{k}-en") for k in range(clusters))
    segments = np.full(n, 300)
    systems = np.arange(2 * n).reshape(n, 2)  # no two pairs have a system in common
    return Observations(x, y, np.zeros(n), systems, cluster, segments, segments, names)


def fit(observed, **changes):
    drawing = {"resamples": 100, "seed": 3, "confidence": 0.9}
    drawing |= {name: changes.pop(name) for name in (*changes,) if name in drawing}
    options = {"at": (2.0,), **changes}
    return fit_curve(("m", "corpus"), "significant", POPULATION, observed, drawing=Drawing(**drawing), **options)


def test_cut_offs_as_scikit_learn():
    observed = observations()
    opposite = np.isin(observed.x, observed.x[observed.y == 0][:3]).astype(np.float64)
    curve = fit(dataclasses.replace(observed, opposite=opposite))
    oracle = IsotonicRegression(out_of_bounds="clip").fit(observed.x, observed.y)
    x = np.sort(observed.x)
    for level, cutoff in curve.cutoffs.items():
        assert cutoff.value == pytest.approx(x[np.flatnonzero(oracle.predict(x) >= level - 1e-9)[0]])
        assert cutoff.n == (observed.x >= cutoff.value).sum()
        assert cutoff.low <= cutoff.value <= cutoff.high or "beyond the observed differences" in cutoff.reason
    below = x[x <= 2.0][-1]
    assert curve.at[2.0].value == pytest.approx(oracle.predict([below])[0])
    assert curve.at[2.0].low < curve.at[2.0].value < curve.at[2.0].high
    assert (curve.reversed.value, curve.reversed.n) == (np.median(observed.x[opposite == 1]), 3)
    steps = {curve.step(each) for each in curve.x.tolist()}
    assert sum(step.opposite for step in steps) == curve.opposite[0] == 3
    assert sum(step.pairs for step in steps) == len(observed)


def test_cut_offs_and_probabilities_do_not_contradict_each_other():
    """At any difference, a line reaches a level if and only if the difference reaches the cut-off, or its end."""
    observed = observations(clusters=20)
    curve = fit(observed, confidence=0.95)
    x = np.concatenate([np.unique(observed.x), np.linspace(curve.x[0], curve.x[-1], 5000)])
    for level, cutoff in curve.cutoffs.items():
        for line, end in ((curve.y, cutoff.value), (curve.high, cutoff.low), (curve.low, cutoff.high)):
            reached = at(curve, line, x) >= level - 1e-9
            if math.isnan(end):
                assert "beyond the observed differences" in cutoff.reason
                continue
            assert reached.tolist() == (x >= end).tolist()


def at(curve, line, x):
    """A line of a curve at observed differences."""
    return line[np.searchsorted(curve.x, x, side="right") - 1]


def test_no_end_of_a_curve_is_certain():
    """All resamples may say 0 or 1 there."""
    curve = fit(observations(clusters=20), confidence=0.95)
    assert curve.y[-1] == 1
    assert (curve.low < curve.high).all()
    assert all(curve.probability(x).reason is None for x in curve.x.tolist())
    assert curve.probability(float(curve.x[-1])).value < 1


def test_pairs_that_all_agree_have_an_exact_interval_and_no_certainty():
    """All of 40 pairs, in four language pairs, which are too few to be drawn: Clopper and Pearson, as in SciPy."""
    agreed = observations(clusters=4, pairs=10)
    curve = fit(dataclasses.replace(agreed, x=np.arange(40.0), y=np.ones(40)), confidence=0.95)
    exact = binomtest(40, 40).proportion_ci(0.95, method="exact")
    found = curve.probability(20.0)
    assert found.value == pytest.approx(41 / 42)  # the rule of succession
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_pairs_with_systems_in_common_support_less():
    """Of the 45 pairs of ten systems, five have no system in common."""
    agreed = observations(clusters=1, campaigns=1, pairs=45)
    systems = np.array(list(combinations(range(10), 2)))
    agreed = dataclasses.replace(agreed, x=np.arange(45.0), y=np.ones(45), systems=systems)
    curve = fit(agreed, confidence=0.95)
    assert curve.step(3.0).independent == 5
    assert curve.probability(3.0).value == pytest.approx(6 / 7)
    assert curve.probability(3.0).low == pytest.approx(binomtest(5, 5).proportion_ci(0.95, method="exact").low)


def test_a_bound_is_not_beyond_that_of_the_adjacent_step():
    """Two pairs say next to nothing, but the curve does not fall: it is no less certain than the step below."""
    observed = observations(clusters=4, pairs=25)
    y = np.concatenate([np.tile([0.0, 1.0, 1.0, 1.0], 25)[:98], [1.0, 1.0]])
    curve = fit(dataclasses.replace(observed, x=np.arange(100.0), y=y), confidence=0.95)
    assert (np.diff(curve.low) >= 0).all()
    assert (np.diff(curve.high) >= 0).all()
    assert (np.diff(curve.supported) >= 0).all()
    last, before = curve.probability(99.0), curve.probability(50.0)
    assert last.low == before.low
    assert last.value >= before.value


def test_language_pairs_that_are_alike_have_the_interval_of_their_pairs():
    """The bootstrap over language pairs sees no spread; the exact interval of ten pairs does."""
    alike = observations(clusters=5, pairs=2)
    alike = dataclasses.replace(alike, x=np.tile([1.0, 2.0], 5), y=np.tile([1.0, 0.0], 5))
    found = fit(alike, confidence=0.95).probability(1.5)
    exact = binomtest(5, 10).proportion_ci(0.95, method="exact")
    assert (found.value, found.low, found.high) == pytest.approx((0.5, exact.low, exact.high))


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
    for i, share in enumerate(exact):  # the wider of both
        pairs = np.count_nonzero(np.abs(exact - share) < 1e-9)
        clopper = binomtest(round(share * pairs), pairs).proportion_ci(0.95, method="exact")
        low[i], high[i] = min(low[i], clopper.low), max(high[i], clopper.high)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    assert at(curve, curve.low, x) == pytest.approx(low, abs=0.005 + 1e-9)
    assert at(curve, curve.high, x) == pytest.approx(high, abs=0.005 + 1e-9)


def test_held_out_campaigns_as_scikit_learn():
    observed = observations()
    predicted, base, floor = (np.empty(len(observed)) for _ in range(3))
    for campaign in ("wmt0", "wmt1"):
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
    assert (curve.low < curve.high).all()


def test_a_group_is_compared_with_all_languages_on_held_out_campaigns():
    group, pooled = observations(clusters=6), observations(clusters=20, slope=0.1)
    validation = fit(group, pooled=pooled).validation
    errors = []
    for campaign in ("wmt0", "wmt1"):
        held_out, training = group.campaign == campaign, pooled.campaign != campaign
        fitted = IsotonicRegression(out_of_bounds="clip").fit(pooled.x[training], pooled.y[training])
        seen = np.unique(pooled.x[training])
        below = seen[np.maximum(np.searchsorted(seen, group.x[held_out], side="right") - 1, 0)]
        errors += ((fitted.predict(below) - group.y[held_out]) ** 2).tolist()
    assert validation.brier["pooled"] == pytest.approx(np.mean(errors))


def test_a_group_of_a_single_campaign_is_compared_with_all_languages_on_held_out_language_pairs():
    """Neural metrics of WMT25 have no other campaign, but several language pairs into like languages."""
    pooled = observations(clusters=8, campaigns=1, slope=0.1)
    group = pooled.take(np.flatnonzero(pooled.cluster < 3))
    validation = fit(group, pooled=pooled).validation
    assert validation.held_out == "language pair"
    errors = []
    for number in range(3):
        held_out, training = group.cluster == number, pooled.cluster != number
        fitted = fit_isotonic(pooled.x[training], pooled.y[training])
        errors += ((fitted(group.x[held_out]) - group.y[held_out]) ** 2).tolist()
    assert validation.brier["pooled"] == pytest.approx(np.mean(errors))


def test_what_a_curve_predicts_of_another_campaign():
    curve = fit(observations(clusters=20))
    other = dataclasses.replace(observations(clusters=2), opposite=np.tile([0.0, 0.0, 1.0], 20))
    check = check_curve(curve, other, "WMT 2099 (ESA)").check
    assert check.held_out == "WMT 2099 (ESA)"
    predicted = np.array([curve.probability(x).value for x in other.x])
    known = ~np.isnan(predicted)
    assert 0 < known.sum() == check.pairs == sum(each.pairs for each in check.bins)
    assert check.brier["isotonic"] == pytest.approx(((predicted - other.y)[known] ** 2).mean())
    highest = known & (predicted >= 0.9)
    found = check.bin_of(0.97)
    assert found.pairs == highest.sum() > 0
    assert (found.observed, found.opposite) == pytest.approx((other.y[highest].mean(), other.opposite[highest].mean()))
    assert dataclasses.replace(check, bins=check.bins[:-1]).bin_of(0.97) is None
