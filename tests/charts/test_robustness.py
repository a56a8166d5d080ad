from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from assay.charts import caption, draw, svg
from assay.charts.controls import controls_of
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
    assert "Thin lines: metrics that are not named" in caption(chart)[1]
    assert f"{len(curves)} metrics" in caption(chart)[1]
    assert f">{name}<" in svg(draw("robustness", curves, metrics=name, width=368)), "above the plot on a phone"


def test_a_reader_can_choose_the_metrics():
    curves = example("robustness top")
    (control,) = controls_of(draw("robustness", curves, metrics=curves.curves[0].metric))
    assert (control.parameter, control.chosen, control.several) == ("named", (curves.curves[0].metric,), True)
    assert control.options == tuple(curve.metric for curve in curves)


def test_names_at_the_ends_of_lines_do_not_overlap():
    curves = example("robustness top")
    same = tuple(replace(curves.curves[0], metric=f"m{number}") for number in range(6))
    text = svg(
        draw("robustness", replace(curves, curves=same), metrics="+".join(f"m{n}" for n in range(6)), width=1040)
    )
    places = sorted(float(y) for y in re.findall(r'translate\([\d.]+,(-?[\d.]+)\)" font[^>]*>m\d<', text))
    assert len(places) == 6
    assert min(second - first for first, second in pairwise(places)) >= 14
    assert places[-1] <= 270, "not below the plot"


@pytest.mark.parametrize("width", [1040, 500, 368])
def test_long_names_leave_room_for_the_plot(width):
    curves = example("robustness top")
    long = "a-metric-" * 7
    members = (replace(curves.curves[0], metric=long), *curves.curves[1:])
    text = svg(draw("robustness", replace(curves, curves=members), metrics=long, width=width))
    plot = float(re.search(r'class="background"[^>]*d="M[\d.]+,[\d.]+h([\d.]+)', text)[1])
    assert plot > width / 2
