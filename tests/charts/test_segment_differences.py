from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.charts import caption, draw, drawable
from assay.charts.segment_differences import _rows
from assay.errors import UnknownNameError
from tests.charts.examples import compared


def test_bins_are_on_one_side_of_zero():
    rows = _rows(np.array([-1.0, -0.01, 0.0, 0.0, 0.02, 2.0]))
    assert sum(row["segments"] for row in rows) == 4, "equal scores are not drawn"
    assert {row["role"] for row in rows if row["high"] <= 0} == {"second"}
    assert {row["role"] for row in rows if row["low"] >= 0} == {"first"}
    assert all(row["low"] >= 0 or row["high"] <= 0 for row in rows)


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_counts_are_those_of_the_comparison(metric):
    pair = compared().metric(metric, "segment").pairs[0]
    subtitle = caption(draw("segment-differences", compared(), metric=metric))[1]
    assert f"better in {pair.wins:,}, " in subtitle
    assert f"in {pair.losses:,}; {pair.ties:,} with equal scores are not drawn" in subtitle


def test_what_is_missing():
    with pytest.raises(UnknownNameError, match="'bleu' was not compared"):
        draw("segment-differences", compared(), metric="bleu")
    assert "segment-differences" not in drawable(replace(compared(), segments={}))
