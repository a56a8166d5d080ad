from __future__ import annotations

import pytest

from assay.charts import caption, draw, drawable, svg
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


def test_a_box_for_each_set_of_systems():
    subsamples = example("robustness subsamples")
    text = svg(draw("subsamples", subsamples))
    assert ">without outliers<" in text
    assert ">with far<" in text
    assert "20 random subsets of 3 of" in caption(draw("subsamples", subsamples))[1]


def test_metrics():
    subsamples = example("robustness subsamples")
    first, second = (metric.metric for metric in subsamples.metrics[:2])
    assert f">{second}<" not in svg(draw("subsamples", subsamples, metrics=first))
    assert f">{second}<" not in svg(draw("subsamples", subsamples, limit=1))
    assert "subsamples" not in drawable(example("robustness top"))
