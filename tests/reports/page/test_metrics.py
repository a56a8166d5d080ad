from __future__ import annotations

from tests.reports.page.built import built
from tests.store.examples import example


def test_metrics_are_ranked():
    section, content = built("metrics.agreement", example("meta"))["metrics"]
    assert section.heading == "Which metrics agree with people on wmt99 de-en, en-zh?"
    assert {row.metric for row in example("meta")} <= set(content.cells)
    titles = [attributes["aria-label"] for attributes in content.having("div", role="img")]
    assert titles[0].startswith("Agreement of each metric with people"), "the ranking comes first"
    tags = [tag for tag, _ in content.elements]
    assert tags.index("figure") < tags.index("table")
    assert list(built("metrics.agreement", example("meta"), example("metrics task"))) == ["metrics", "metrics-2"]
    assert built("metrics.agreement", example("score")) == {}
