from __future__ import annotations

from tests.reports.html.sections.built import built
from tests.store.examples import example


def test_metrics_are_ranked():
    section, content = built("metrics", example("meta"))["metrics"]
    assert section.heading == "Which metrics agree with people here?"
    assert {row.metric for row in example("meta")} <= set(content.cells)
    assert content.elements.index(("table", {})) < [tag for tag, _ in content.elements].index("figure")
    assert list(built("metrics", example("meta"), example("metrics task"))) == ["metrics-1", "metrics-2"]
    assert built("metrics", example("score")) == {}
