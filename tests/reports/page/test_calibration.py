from __future__ import annotations

from tests.charts.examples import calibration
from tests.reports.page.built import built
from tests.store.examples import example


def test_a_calibration_is_drawn_and_says_what_it_holds_for():
    section, content = built("metrics.calibrations", calibration())["calibration"]
    assert "other data may give another one" in section.lede
    assert len(content.having("figure")) == 1
    assert "base rate" in content.cells
    assert built("metrics.calibrations", example("score")) == {}
