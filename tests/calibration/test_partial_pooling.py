from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.calibration.files import bundled
from assay.calibration.partial_pooling import PENALTIES, PartFit, PartPairs, left_out_rows
from assay.calibration.preference_fit import fit_preference
from assay.results import ALL

ESA, DA = "ESA", "DA/SQM"


def made_up(seed=0, *, weights, rows=400, campaigns=4):
    """Pairs of parts, whose people see so much in the same differences."""
    random = np.random.default_rng(seed)
    part = random.integers(len(weights), size=rows)
    names = list(weights)
    difference = random.normal(size=rows)
    seen = np.array([weights[names[each]] for each in part]) * difference + random.logistic(size=rows)
    campaign = np.array([f"c{each}" for each in random.integers(campaigns, size=rows)])
    return PartPairs(
        difference,
        (seen > 1).astype(float),
        (seen < -1).astype(float),
        np.array([names[each][0] for each in part]),
        np.array([names[each][1] for each in part]),
        campaign,
        np.array([f"{name} {names[each][1]}" for name, each in zip(campaign, part, strict=True)]),
        np.arange(2 * rows).reshape(-1, 2),
    )


def pooled(pairs):
    """The same fit without any part."""
    scale = float(np.sqrt((pairs.difference**2).mean()))
    fit = fit_preference(pairs.difference[:, np.newaxis] / scale, pairs.first, pairs.second, ridge=1e-2)
    return lambda x: fit(x[:, np.newaxis] / scale)


X = np.linspace(-2, 2, 9)


def test_without_deviations_it_is_the_fit_to_all():
    pairs = made_up(weights={(ESA, "I"): 3.0, (DA, "English"): 0.5})
    fit = PartFit.of(pairs, (ESA, "I"), (1e12, 1e12))
    np.testing.assert_allclose(fit(X), pooled(pairs)(X), atol=1e-6)


def test_with_free_deviations_it_is_the_fit_to_the_part():
    pairs = made_up(weights={(ESA, "I"): 3.0, (ESA, "II"): 1.0, (DA, "English"): 0.5})
    fit = PartFit.of(pairs, (ESA, "I"), (1e-9, 1e-9))
    own = pairs.take(pairs.are_in((ESA, "I")))
    np.testing.assert_allclose(fit(X), pooled(own)(X), atol=5e-3)  # but for the ridge, on another scale


def test_a_part_lies_between_its_own_fit_and_that_of_all_and_nearer_to_all_if_it_is_small():
    pairs = made_up(weights={(ESA, "I"): 4.0, (DA, "English"): 0.3}, rows=2000)
    part = (ESA, "I")
    few = pairs.take(~pairs.are_in(part) | (np.arange(len(pairs)) % 20 == 0))
    shares = []
    for each in (pairs, few):
        own, whole = (float(pooled(side)(np.ones(1))[0][0]) for side in (each.take(each.are_in(part)), each))
        found = float(PartFit.of(each, part)(np.ones(1))[0][0])
        assert min(own, whole) < found < max(own, whole)
        shares.append((found - whole) / (own - whole))
    assert shares[0] > 0.9 > shares[1]


def test_swapped_systems_have_swapped_probabilities():
    fit = PartFit.of(made_up(weights={(ESA, "I"): 2.0, (ESA, "II"): 1.0}), (ESA, "I"))
    first, second = fit(X)
    np.testing.assert_allclose(fit(-X), (second, first))
    assert (np.diff(first) > 0).all()


def test_counts_are_repeated_pairs():
    pairs = made_up(weights={(ESA, "I"): 2.0, (DA, "II"): 1.0})
    counts = np.arange(len(pairs)) % 3
    start = PartFit.of(pairs, (ESA, "I"))
    counted = PartFit.of(pairs, (ESA, "I"), counts=counts.astype(float), start=start)
    repeated = PartFit.of(pairs.take(np.repeat(np.arange(len(pairs)), counts)), (ESA, "I"), start=start)
    np.testing.assert_allclose(counted.point, repeated.point, atol=1e-6)


def test_a_campaign_is_left_out_under_all_protocols():
    pairs = made_up(weights={(ESA, "I"): 2.0, (DA, "II"): 1.0})
    seen = np.zeros(len(pairs), dtype=int)
    for known, rows in left_out_rows(pairs, (ESA, "I")):
        assert not set(pairs.campaign[known]) & set(pairs.campaign[rows])
        assert set(pairs.protocol[known]) == {ESA, DA}
        seen += rows
    np.testing.assert_array_equal(seen, pairs.are_in((ESA, "I")))
    one = replace(pairs, campaign=np.where(pairs.are_in((ESA, ALL)), "c0", pairs.campaign))
    assert list(left_out_rows(one, (ESA, "I"))) == []


def test_pairs_of_a_calibration():
    judged = bundled(["bleu"], pairs_of=["bleu"]).pairs
    pairs = PartPairs.of(judged, ("bleu", "corpus"), 0.05, None)
    assert pairs.are_in((ESA, ALL)).sum() == 1042
    assert pairs.are_in((ESA, "I")).sum() == 481
    assert pairs.are_in((DA, "English")).sum() == 1792
    of_esa, of_others = (set(pairs.systems[rows].ravel()) for rows in (pairs.protocol == ESA, pairs.protocol != ESA))
    assert not of_esa & of_others
    assert len(PartPairs.of(judged, ("none", "corpus"), 0.05, None)) == 0


def test_it_answers_where_it_predicts_left_out_campaigns_better():
    found = assay.explain("chrf", 2.0, lp="en-cs").partly_pooled
    assert found.group == "I"
    assert found.brier["partly_pooled"] <= found.brier["answer"]
    difference = found.brier_difference
    assert difference.value == pytest.approx(found.brier["partly_pooled"] - found.brier["answer"])
    assert found.is_clearly_better == (difference.high < 0)
    assert 0 < found.opposite.value < found.probability.value < 1
    assert found.probability.low < found.probability.value < found.probability.high


def test_a_number_of_judged_segments_has_the_answer_of_the_curve_alone():
    whole, few = (assay.explain("bleu", 3.0, lp="de-en", judged=judged).partly_pooled for judged in (None, 100))
    assert few is None
    assert whole is not None


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lp": "en-ta"},  # in no group
        {"lp": "en-zh"},  # no other campaign into II has such judgements
        {"lp": "en-cs", "kinds": "LLM"},
        {"lp": "en-cs", "calibration": "lo2023"},
    ],
)
def test_no_answer(options):
    assert assay.explain("bleu", 2.0, **options).partly_pooled is None


def test_few_pairs_have_no_answer():
    found = assay.explain("bleu", 14.0, lp="en-cs").partly_pooled
    assert found is None or math.isnan(found.probability.value) or found.probability.n >= 10


def test_penalties_are_those_that_the_table_marks():
    page = (Path(__file__).parents[2] / "docs" / "methods" / "calibration.md").read_text(encoding="utf-8")
    assert "**pooled, {:g} and {:g}**".format(*PENALTIES) in page
