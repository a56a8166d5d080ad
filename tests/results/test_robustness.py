from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.results import Curve, Estimate, Outliers, Point, Subsamples


def test_outliers_as_json():
    tree = Outliers(("x",), {"x": 3.0, "y": math.nan}, 1.0, 0.5, 2.5).to_dict()
    assert json.loads(json.dumps(tree, allow_nan=False))["distances"] == {"x": 3.0, "y": None}


def test_curves():
    points = (
        Point("top 2", ("a", "b"), Estimate(math.nan, 2, reason="flat")),
        Point("top 3", tuple("abc"), Estimate(0.5, 3)),
    )
    curve = Curve("top", "m", "h", "pearson", Estimate(0.5, 3), points)
    assert len(curve) == 2
    assert [row["value"] for row in curve.rows()] == [None, 0.5]
    assert repr(curve) == "Curve(top: pearson of m with h, 2 points)"
    tree = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert tree["points"][0] == {"label": "top 2", "systems": ["a", "b"], **points[0].estimate.to_dict()}
    assert curve._repr_html_().count("<tr>") == 3


def test_subsamples():
    found = Subsamples("m", "h", "pearson", ("x",), ("a", "b", "c"), 3, np.array([0.0, math.nan, 1.0]), 5)
    assert (found.mean, found.undefined, found.quantile(0.25)) == (0.5, 1, 0.25)
    assert repr(found) == "Subsamples(pearson of m over x and 2 of 3: mean 0.500)"
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["values"] == [0.0, None, 1.0]
    nothing = Subsamples("m", "h", "pearson", (), ("a",), 1, np.array([math.nan]), 5)
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.quantile(0.5))
    assert nothing.to_dict()["mean"] is None
    assert found.to_dict()["mean"] == pytest.approx(0.5)
