from __future__ import annotations

import json
import math

from assay.results import Estimate
from assay.types.record import none_if_nan


def test_plain_values():
    estimate = Estimate(1.5, 10, 1.0, 2.0, 0.25, "undefined in 1 of 9 resamples", 0.75)
    assert json.loads(json.dumps(estimate.to_dict(), allow_nan=False)) == {
        "value": 1.5,
        "reason": "undefined in 1 of 9 resamples",
        "low": 1.0,
        "high": 2.0,
        "standard_error": 0.25,
        "standard_deviation": 0.75,
        "n": 10,
    }


def test_nan_becomes_none():
    assert none_if_nan(math.nan) is None
    assert none_if_nan(0.0) == 0.0
    undefined = Estimate(math.nan, 0, reason="no segment was scored").to_dict()
    assert [name for name, value in undefined.items() if value is not None] == ["n", "reason"]


def test_bounded():
    assert Estimate(0.5, 1).is_bounded
    assert Estimate(math.nan, 1, low=0.2, high=1.0).is_bounded
    assert not Estimate(math.nan, 0, reason="no calibration").is_bounded
