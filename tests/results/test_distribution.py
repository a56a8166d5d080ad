from __future__ import annotations

import math

import numpy as np
import pytest

from assay.results.distribution import SUMMARY_COLUMNS, Distribution


class Values(Distribution):
    def __init__(self, *values):
        self.values = np.array(values)
        self.why_undefined = "a score is constant"


def test_undefined_values_are_left_out_and_counted():
    found = Values(1.0, math.nan, 3.0, 5.0)
    assert (found.mean, found.standard_deviation, found.undefined) == (3.0, 2.0, 1)
    assert found.quantile(0.5) == 3.0
    assert found.reason == "undefined in 1 of 4 resamples: a score is constant"
    assert found.summary().keys() == SUMMARY_COLUMNS.keys()


def test_one_value_and_none():
    assert math.isnan(Values(1.0).standard_deviation)
    assert Values(1.0).reason == "one resample has no standard deviation"
    assert math.isnan(Values(math.nan).mean)
    assert Values(math.nan).summary()["q50"] is None
    assert Values(1.0, 2.0).reason is None
    assert Values(1.0, 2.0).quantile(0.25) == pytest.approx(1.25)
