from __future__ import annotations

import pytest

from assay.charts import caption, draw, svg
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


@pytest.mark.parametrize("kind", ["top", "windows", "without-one"])
def test_all_kinds_of_curves(kind):
    curves = example(f"robustness {kind}")
    text = svg(draw("robustness", curves, width=1040))
    for label in curves.labels:
        short = label if kind == "without-one" else label.split(" ", 1)[1]
        assert f">{short}<" in text
    assert ("Grey band" in caption(draw("robustness", curves))[1]) == (kind != "without-one")


def test_named_metrics():
    curves = example("robustness top")
    name = curves.curves[-1].metric
    chart = draw("robustness", curves, metrics=name)
    assert f">{name}<" in svg(chart)
    assert f"Thin lines: {len(curves) - 1} other metric" in caption(chart)[1]
    assert f">{name}<" in svg(draw("robustness", curves, metrics=name, width=368)), "above the plot on a phone"
