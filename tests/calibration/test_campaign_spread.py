from __future__ import annotations

import math

import numpy as np
import pytest

from assay.calibration.campaign_spread import CampaignSpread, campaign_spread
from assay.calibration.files import bundled
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.judged_sizes import resized
from assay.calibration.outcomes import observe
from assay.results import ALL, Calibration, JudgedPairs
from assay.results.calibration import SIGNIFICANT


def judged(campaign, shares, protocol="ESA", lp="en-de"):
    """Pairs of systems with rising differences, of which people prefer the better-scored one in a share of samples."""
    systems = tuple(f"{k}" for k in range(2 * len(shares)))
    scores = np.array([value for k in range(len(shares)) for value in (1.0 + k, 0.0)])
    return JudgedPairs(
        campaign,
        lp,
        "gold",
        protocol,
        systems,
        np.full(len(systems), 100),
        np.arange(len(systems)).reshape(-1, 2),
        np.full(len(shares), 100),
        np.full(len(shares), 2),
        {"bleu": {"corpus": scores}},
        {100: np.array([[20.0 * share, 0.0] for share in shares])},
    )


def spread_of(*pairs):
    return campaign_spread(pairs, ("bleu", "corpus"), "by-metric", 0.05)


def test_campaigns_that_agree_do_not_differ():
    found = spread_of(judged("a", [0.5] * 20), judged("b", [0.5] * 20))
    assert found == CampaignSpread(pytest.approx(0.0), 1)


def test_the_deviation_is_that_of_log_odds():
    """Of 0.3 and 0.7, the curve is 0.5; both deviate by log(14.5 / 6.5), of 20 pairs and half a pair more."""
    found = spread_of(judged("a", [0.3] * 20), judged("b", [0.7] * 20))
    assert found.deviation == pytest.approx(math.sqrt(2) * math.log(14.5 / 6.5))
    assert found.degrees == 1


def test_protocols_tell_it_together_and_a_single_campaign_does_not():
    alone = spread_of(judged("a", [0.3] * 20))
    assert alone.degrees == 0
    assert alone.bounds(np.array([0.4]), 1, 0.025) == (np.array([0.4]), np.array([0.4]))
    several = [judged("a", [0.3] * 20), judged("b", [0.7] * 20), *(judged(name, [0.5] * 20, "MQM") for name in "cde")]
    assert spread_of(*several).degrees == 3
    assert spread_of(*several).deviation < spread_of(*several[:2]).deviation


def test_bounds_hold_a_share_and_are_wider_with_fewer_campaigns():
    spread = CampaignSpread(0.5, 6)
    shares = np.array([0.1, 0.5, 0.9])
    low, high = spread.bounds(shares, 3, 0.025)
    assert (low < shares).all()
    assert (shares < high).all()
    assert low[1] == pytest.approx(1 / (1 + math.exp(2.4469 * 0.5 * math.sqrt(4 / 3))), abs=1e-4)
    assert (spread.bounds(shares, 1, 0.025)[0] < low).all()


@pytest.mark.slow
def test_intervals_hold_what_left_out_campaigns_show_about_as_often_as_they_promise():
    """Of a quarter of the pairs of each campaign each: docs/methods/calibration.md has the table of all scores."""
    are_within = []
    for metric in ("bleu", "chrf"):
        wmt, key = bundled([metric], pairs_of=[metric]), (metric, "corpus")
        for campaign in sorted({each.campaign for each in wmt.pairs}):
            others = Calibration(wmt.settings, wmt.curves, tuple(p for p in wmt.pairs if p.campaign != campaign))
            curves = resized(others, *key, ALL, 150, "wmt")
            for curve in curves if not isinstance(curves, str) else ():
                population = curve.population
                if population.group == population.kinds == ALL:
                    own = [p for p in wmt.pairs if (p.campaign, p.protocol) == (campaign, population.protocol)]
                    members = [system_pairs_of(each, [key]) for each in own]
                    observed = observe(members, key, SIGNIFICANT, "by-metric", 0.05, judged_segments=150)
                    are_within += list(within(curve, observed))
    assert len(are_within) > 50
    assert 0.85 <= np.mean(are_within) <= 1.0


def within(curve, observed):
    """Whether the share of each quarter of the pairs lies within the mean bounds."""
    for rows in np.array_split(np.argsort(observed.x), 4):
        found = [curve.probability(each) for each in observed.x[rows]]
        known = ~np.isnan([each.value for each in found])
        if known.sum() >= 20:
            low, high = (np.mean([getattr(each, name) for each in found if each.n]) for name in ("low", "high"))
            yield low <= observed.y[rows][known].mean() <= high
