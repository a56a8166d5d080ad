from __future__ import annotations

import numpy as np
import pytest

from assay.charts import caption, draw, drawable, svg
from assay.charts.metric_human import _labels, _line
from assay.errors import UnknownNameError
from tests.charts.examples import marks
from tests.store.examples import example


def test_outliers_are_named():
    meta = example("meta")
    text = svg(draw("metric-human", meta))
    assert ">far<" in text
    agreement = next(iter(meta.metrics[0].agreements.values()))
    assert all(f'aria-label="{name}"' in marks(text) for name in agreement.systems)
    assert f"pearson {agreement.value:.2f} (dashed), without the outliers" in caption(draw("metric-human", meta))[1]


def test_names_do_not_overlap():
    points = [("a", 0.0, 0.0, False), ("b", 1.0, 1.0, True), ("c", 0.9, 0.99, True), ("d", 0.1, 0.5, True)]
    rows = [dict(zip(("name", "metric", "human", "outlier"), point, strict=True)) for point in points]
    b, c, d = (beside for _, beside in _labels(rows))
    assert (b["align"], d["align"]) == ("right", "left"), "inwards"
    assert b["dy"] == d["dy"] == 0
    assert c["dy"] > 10


def test_lines():
    points = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0], [np.nan, 1.0]])
    assert [(row["metric"], pytest.approx(row["human"])) for row in _line(points)] == [(0.0, 1.0), (2.0, 5.0)]
    assert _line(points[:1]) == []


def test_it_needs_scores_of_systems():
    assert "metric-human" not in drawable(example("meta segments"))
    with pytest.raises(UnknownNameError, match="'x' is not in the table"):
        draw("metric-human", example("meta"), metric="x")
