from __future__ import annotations

import numpy as np
import pytest

from assay.charts import caption, draw, drawable, svg
from assay.charts.controls import controls_of
from assay.charts.metric_human import _beside, _line
from assay.errors import UnknownNameError
from assay.labels.numbers import agreement_text
from tests.charts.examples import marks
from tests.store.examples import example


def test_outliers_are_named():
    meta = example("meta")
    text = svg(draw("metric-human", meta, width=1040))
    assert ">far<" in text
    agreement = next(iter(meta.metrics[0].agreements.values()))
    assert all(f'aria-label="{name}"' in marks(text) for name in agreement.systems)
    assert f"Pearson {agreement_text(agreement.value)} (dashed)" in text
    assert "without the outliers (full line)" in text
    assert f"{len(agreement.systems)} systems" in caption(draw("metric-human", meta))[1]


def test_names_do_not_overlap():
    points = [("b", 1.0, 1.0, "outlier"), ("c", 0.9, 0.99, "outlier"), ("d", 0.1, 0.5, "outlier"), ("a", 0, 0, "ink")]
    rows = [dict(zip(("name", "metric", "human", "role"), point, strict=True)) for point in points]
    b, c, d, _ = (beside for _, beside in _beside(rows))
    assert (b["align"], d["align"]) == ("right", "left"), "inwards"
    assert b["dy"] == d["dy"] == 0
    assert c["dy"] > 10


def test_any_metric_can_be_chosen():
    meta = example("meta")
    first, second = (metric.metric for metric in meta.metrics[:2])
    (control,) = controls_of(draw("metric-human", meta, metric=second))
    assert (control.parameter, control.chosen, control.several) == ("metric", (second,), False)
    assert first in control.options
    text = svg(draw("metric-human", meta, metric=second))
    assert f">{second}<" in text
    assert f">{first}<" not in text


def test_lines():
    points = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0], [np.nan, 1.0]])
    assert [(row["metric"], pytest.approx(row["human"])) for row in _line(points)] == [(0.0, 1.0), (2.0, 5.0)]
    assert _line(points[:1]) == []


def test_it_needs_scores_of_systems():
    assert "metric-human" not in drawable(example("meta segments"))
    with pytest.raises(UnknownNameError, match="'x' is not in the table"):
        draw("metric-human", example("meta"), metric="x")
