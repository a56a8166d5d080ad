from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from assay.results.distribution import Distribution, summary_columns
from assay.types import FloatArray


@dataclass(frozen=True)
class Sampled(Distribution):
    values: FloatArray
    why_undefined: str = "a score is constant"


def sampled(*values):
    return Sampled(np.array(values))


def test_undefined_values_are_left_out_and_counted():
    found = sampled(1.0, math.nan, 3.0, 5.0)
    assert (found.mean, found.standard_deviation, found.undefined) == (3.0, 2.0, 1)
    assert found.quantile(0.5) == 3.0
    assert found.reason == "undefined in 1 of 4 resamples: a score is constant"
    cells = {column.name: column.cell({"found": found}) for column in summary_columns("found", "resample")}
    assert (cells["mean"], cells["q50"], cells["resamples"], cells["undefined"]) == (3.0, 3.0, 4, 1)
    assert all(column.cell({}) is None for column in summary_columns("found", "resample"))


def test_one_value_and_none():
    assert math.isnan(sampled(1.0).standard_deviation)
    assert sampled(1.0).reason == "one resample has no standard deviation"
    assert math.isnan(sampled(math.nan).mean)
    assert sampled(math.nan).to_dict()["quantiles"]["q50"] is None
    assert sampled(1.0, 2.0).reason is None
    assert sampled(1.0, 2.0).quantile(0.25) == pytest.approx(1.25)
