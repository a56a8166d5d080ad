from __future__ import annotations

import pytest

from assay import meta
from assay.charts import caption, draw, drawable, svg
from tests.campaigns_with_metrics import campaign
from tests.charts.examples import marks
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


def test_two_dots_for_each_metric():
    result = example("meta")
    text = svg(draw("outlier-effect", result, lp="en-zh"))
    assert marks(text).count('stroke="#96387a"') == len(result)
    assert ">change<" in text
    assert "without far" in caption(draw("outlier-effect", result, lp="en-zh"))[1]
    change = [metric.averages[measure].value for metric in result.metrics[:1] for measure in result.measures[:2]]
    assert f"{abs(change[1] - change[0]):.2f}<" in svg(draw("outlier-effect", result))


def test_it_needs_both():
    kept = meta([campaign()], outliers="keep", resamples=0)
    assert "outlier-effect" not in drawable(kept)
    assert "metric-ranking" in drawable(kept)
