from __future__ import annotations

import pytest

from assay.charts import draw, svg
from assay.charts.human_differences import _label, _rows
from tests.charts.examples import decisions, marks


@pytest.mark.slow
def test_every_pair_has_a_mark():
    decided = decisions().metrics[0]
    rows = _rows(decided, {each.label: each.label for each in decided.bins})
    assert len(rows) == decided.pairs
    assert all(0 <= row["spread"] < 1 for row in rows)
    drawn = marks(svg(draw("human-differences", decisions())))
    assert drawn.count('opacity="0.65"') == decided.pairs + 3, "and the legend"


def test_labels_of_bins():
    assert _label("not significant", 1200, 500) == "not significant|n = 1,200"
    assert _label("not significant", 1200, 368) == "not|significant|1,200"
