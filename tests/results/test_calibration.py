from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.results import Calibration, CalibrationCurve, Estimate, FittedPopulation


@pytest.fixture
def curve():
    x, y = np.array([1.0, 2.0, 4.0, 6.0]), np.array([0.2, 0.5, 0.5, 0.8])
    return CalibrationCurve(
        "bleu",
        "corpus",
        "significant",
        FittedPopulation("DA/SQM", lps={"wmt98": ("de-en",)}, pairs=10, segments=300.0, judgements=300.0),
        x,
        y,
        y - 0.1,
        y + 0.1,
        np.array([10, 6, 6, 2]),
        np.array([3, 1, 1, 0]),
        np.array([4, 4, 4, 2]),
        0.4,
        None,
        Estimate(1.0, 3),
        at={3.0: Estimate(0.5, 6)},
    )


def test_probabilities(curve):
    between = curve.probability(1.5)
    assert (between.value, between.low, between.n) == (0.2, pytest.approx(0.1), 6)
    assert (curve.probability(3.0).value, curve.probability(3.0).n) == (0.5, 6)
    assert curve.probability(6.0).n == 2
    for outside in (0.9, 6.1):
        assert math.isnan(curve.probability(outside).value)
        assert (
            curve.probability(outside).reason
            == f"no calibration: {outside} is outside the observed differences of bleu (corpus), 1 to 6"
        )


def test_steps(curve):
    steps = [curve.step(x) for x in (1.0, 1.9, 2.0, 5.9)]
    assert [step.probability for step in (*steps, curve.step(6.0))] == [0.2, 0.2, 0.5, 0.5, 0.8]
    places = [(step.start, step.end, step.pairs) for step in (*steps[1:3], curve.step(6.0))]
    assert places == [(1.0, 2.0, 4), (2.0, 6.0, 4), (6.0, 6.0, 2)]
    assert [(step.opposite, step.independent) for step in (steps[0], steps[2], curve.step(6.0))] == [
        (2, 4),
        (1, 4),
        (0, 2),
    ]


def test_probabilities_are_no_higher_than_their_pairs_support(curve):
    """Two independent differences that agree support 3 / 4, by the rule of succession."""
    assert curve.y[-1] == 0.8
    assert curve.probability(6.0).value == curve.supported[-1] == 0.75
    certain = dataclasses.replace(curve, y=np.array([0.2, 0.8, 0.8, 1.0]), independent=np.array([9, 9, 9, 1]))
    assert certain.supported.tolist() == [0.2, 0.8, 0.8, 0.8]  # it does not fall


def test_differences_between_probabilities(curve):
    """The steps are .2 from 1 on, .5 from 2 on, and .75 at 6; the curve jumps over what is between them."""
    assert curve.between(0.45, 0.55) == (2.0, 6.0)
    assert curve.between(0.2, 0.5) == (1.0, 6.0)
    assert curve.between(0.1, 0.2) == (1.0, 2.0)
    assert str(curve.between(0.75, 1.0)) == "(6.0, nan)"  # no step is known after the last one
    for low, high in ((0.0, 0.1), (0.3, 0.4), (0.9, 1.0)):
        assert all(math.isnan(each) for each in curve.between(low, high))


def test_cut_offs_are_observed_differences(curve):
    """The bounds reach .5 where the curve reaches .4 and .6. The pairs of the last step support .75, not .8."""
    assert curve.cutoff(0.5) == Estimate(2.0, 6, 2.0, 6.0)
    assert curve.cutoff(0.6) == Estimate(6.0, 2, 2.0, 6.0)
    assert curve.cutoff(0.75).reason == "no interval: its upper end lies beyond the observed differences"
    assert curve.cutoff(0.8).reason == "no calibration: the highest probability is 0.75"
    assert curve.cutoff(0.8, supported=False).value == 6.0  # the fit itself


def test_rows_and_search(curve):
    calibration = Calibration({"orientation": "by-metric"}, (curve,))
    cutoff, _, _, at = calibration.rows()
    assert (cutoff["given"], cutoff["probability"], cutoff["difference"], cutoff["n"]) == ("probability", 0.5, 2.0, 6)
    assert (at["given"], at["difference"], at["probability"]) == ("difference", 3.0, 0.5)
    assert calibration.curve("bleu", agg="corpus", protocol="DA/SQM") is curve
    assert calibration.curve("bleu") is curve
    for options in ({"agg": "segment"}, {"group": "I"}, {"domain": "news"}, {"outcome": "agrees"}):
        with pytest.raises(UnknownNameError, match="there is no curve for metric bleu") as caught:
            calibration.curve("bleu", **options)
        assert caught.value.hint == "metrics: bleu"


def test_a_curve_is_found_while_there_is_only_one(curve):
    other = dataclasses.replace(curve, aggregation="segment")
    calibration = Calibration({}, (curve, other))
    assert calibration.curve("bleu", agg="segment") is other
    with pytest.raises(UnknownNameError, match="there are 2 curves for metric bleu") as caught:
        calibration.curve("bleu")
    assert caught.value.hint == "choose one: agg corpus, protocol DA/SQM; agg segment, protocol DA/SQM"
