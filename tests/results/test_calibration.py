from __future__ import annotations

import math

import numpy as np
import pytest

from assay.results import Calibration, CalibrationCurve, Estimate, Population


@pytest.fixture
def curve():
    x, y = np.array([1.0, 2.0, 4.0, 6.0]), np.array([0.2, 0.5, 0.5, 0.8])
    return CalibrationCurve(
        "bleu",
        "corpus",
        "significant",
        Population("DA/SQM", pairs=10),
        x,
        y,
        y - 0.1,
        y + 0.1,
        np.array([10, 6, 6, 2]),
        {0.5: Estimate(2.0, 6)},
        0.4,
        None,
        Estimate(1.0, 3),
        at={3.0: Estimate(0.5, 6)},
    )


def test_probabilities(curve):
    between = curve.probability(1.5)
    assert (between.value, between.low, between.n) == (pytest.approx(0.35), pytest.approx(0.25), 6)
    assert (curve.probability(3.0).value, curve.probability(3.0).n) == (0.5, 6)
    assert curve.probability(6.0).n == 2
    for outside in (0.9, 6.1):
        assert math.isnan(curve.probability(outside).value)
        assert curve.probability(outside).reason == "no calibration: the observed differences are 1 to 6"


def test_differences(curve):
    assert [curve.difference(p) for p in (0.1, 0.5, 0.8)] == [1.0, 2.0, 6.0]
    assert math.isnan(curve.difference(0.9))


def test_rows_and_search(curve):
    calibration = Calibration({"orientation": "by-metric"}, (curve,))
    cutoff, at = calibration.rows()
    assert (cutoff["given"], cutoff["probability"], cutoff["difference"], cutoff["n"]) == ("probability", 0.5, 2.0, 6)
    assert (at["given"], at["difference"], at["probability"]) == ("difference", 3.0, 0.5)
    assert calibration.find("bleu", "corpus", protocol="DA/SQM") is curve
    assert calibration.find("bleu", "segment", protocol="DA/SQM") is None
    assert calibration.find("bleu", "corpus", protocol="DA/SQM", group="I") is None
