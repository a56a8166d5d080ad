from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.charts import caption, draw, drawable
from assay.charts.metric_errors import _rows
from assay.errors import ConfigError
from tests.charts.examples import decisions


def test_shares_of_the_errors_of_either():
    overlap = replace(decisions().overlaps[0], shared=np.array([[6, 3], [3, 4]]))
    rows = _rows(overlap, ["a", "b"])
    assert [row["text"] for row in rows] == ["6", "43 %", "43 %", "4"]
    none = replace(overlap, shared=np.zeros((2, 2), dtype=np.int64))
    assert [row["text"] for row in _rows(none, ["a", "b"])] == ["0", "–", "–", "0"]


def test_counts():
    overlap = decisions().overlaps[0]
    assert f"wrong about {overlap.common} pairs" in caption(draw("metric-errors", decisions()))[1]
    assert "metric-errors" not in drawable(replace(decisions(), overlaps=()))
    with pytest.raises(ConfigError, match="protocol 'MQM'"):
        draw("metric-errors", decisions(), protocol="MQM")
