from __future__ import annotations

import pytest

from assay.charts import caption, draw, drawable, svg
from tests.charts.examples import resampled
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


def test_a_box_for_each_metric():
    text = svg(draw("replicates", resampled()))
    assert all(f">{metric.metric}<" in text for metric in resampled())
    assert "bootstrap over systems, 20 resamples" in caption(draw("replicates", resampled()))[1]
    assert "1 metric of " in caption(draw("replicates", resampled(), limit=1))[1]


def test_it_needs_resamples():
    assert "replicates" not in drawable(example("meta")), "intervals by Fisher's transformation"
    assert "Kendall correlation with people" in svg(draw("replicates", example("meta"), statistic="kendall"))
