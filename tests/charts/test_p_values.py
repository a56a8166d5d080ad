from __future__ import annotations

import numpy as np

from assay.charts import draw, svg
from assay.charts.p_values import _fit, _rows
from tests.charts.examples import decisions


def test_p_values_have_a_floor():
    rows = _rows(np.array([[1.0, 0.2, 1e-9, 1.0], [2.0, -0.1, 0.97, -1.0]]))
    assert [row["p"] for row in rows] == [1e-4, 0.97]
    assert [row["outcome"] for row in rows] == ["found better", "found worse"]


def test_the_line_is_the_isotonic_fit():
    pairs = np.array([[1.0, 0, 0.5, 0], [2.0, 0, 0.01, 1], [3.0, 0, 0.6, 0], [4.0, 0, 0.01, 1]])
    assert _fit(pairs, 0.05) == [
        {"difference": 1.0, "probability": 0.0},
        {"difference": 2.0, "probability": 0.5},
        {"difference": 4.0, "probability": 1.0},
    ]
    assert _fit(np.zeros((0, 4)), 0.05) == []


def test_two_axes():
    text = svg(draw("p-values", decisions()))
    assert "p-value by human judgement" in text
    assert "share of pairs with p &lt; 0.05" in text
    assert ">0.0001<" in text
