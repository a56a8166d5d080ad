from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from assay.charts import caption, draw, svg
from assay.charts.controls import controls_of
from assay.results import Estimate
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


def test_the_band_is_not_cut_off():
    """Of four systems, 95 % of random correlations are between -0.95 and 0.95, also if no metric is that low."""
    curves = example("robustness top")
    lowest = min(point.value for curve in curves for point in curve)
    first = curves.curves[0]
    negative = replace(first, points=tuple(replace(p, estimate=Estimate(-0.2, p.estimate.n)) for p in first))
    drawn = draw("robustness", replace(curves, curves=(negative, *curves.curves[1:]))).to_dict()
    rows = [row for rows in drawn["datasets"].values() for row in rows if "low" in row]
    assert min(lowest, -0.2) > -0.9
    assert [row["low"] for row in rows] == [-row["value"] for row in rows]
    assert min(row["low"] for row in rows) == pytest.approx(-0.95, abs=1e-3)


def test_named_metrics():
    curves = example("robustness top")
    name = curves.curves[-1].metric
    chart = draw("robustness", curves, metrics=name)
    assert f">{name}<" in svg(chart)
    assert "thin lines: the others" in caption(chart)[1]
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


def test_metrics_on_fewer_systems_are_left_out_unless_they_are_named():
    curves = example("robustness top")
    last = curves.curves[-1]
    fewer = replace(last, all_systems=replace(last.all_systems, n=last.all_systems.n - 1))
    changed = replace(curves, curves=(*curves.curves[:-1], fewer))
    drawn = draw("robustness", changed)
    assert "Left out: 1 metric without scores of all of these systems." in caption(drawn)[1]
    assert last.metric not in controls_of(drawn)[0].options
    assert last.metric in controls_of(draw("robustness", changed, metrics=last.metric))[0].options
