from __future__ import annotations

import numpy as np
import pytest

from assay.charts.boxes import boxes, legend, quantiles
from assay.charts.layout import compose


def test_quantiles_of_what_is_defined():
    found = quantiles(np.array([*range(101), np.nan]).astype(float))
    assert found == pytest.approx({"low": 2.5, "first": 25, "value": 50, "third": 75, "high": 97.5})


def test_three_layers():
    rows = [{"name": "a", "role": "ink", **quantiles(np.arange(5.0))}]
    chart = compose(*boxes(rows, ["a"], {"title": "x"}), title="t", subtitle="s", width=368, height=30)
    assert [layer["mark"]["type"] for layer in chart.to_dict()["layer"]] == ["rule", "rule", "point"]


def test_entries_keep_their_order():
    layers = legend([("first", "ink"), ("second", "gold")]).to_dict()["layer"]
    heights = [layer["encoding"]["y"]["value"] for layer in layers if layer["mark"]["type"] == "text"]
    assert len(heights) == 2
    assert heights[0] > heights[1], "the last entry is next to the plot"
