from __future__ import annotations

from tests.charts.examples import decisions
from tests.reports.page.built import built
from tests.store.examples import example


def test_decisions_have_charts_and_tables():
    _, content = built("metrics.decisions", decisions())["decisions"]
    assert "accept if" in content.cells
    assert len(content.having("figure")) == 3
    assert built("metrics.decisions", example("score")) == {}
