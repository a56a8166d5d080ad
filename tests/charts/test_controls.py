from __future__ import annotations

import altair as alt

from assay.charts.controls import choice, choices, clickable, controls_of, with_control
from assay.charts.layout import data, layered


def test_a_chart_carries_its_controls():
    control = choice("metric", "Metric", ["a", "b\x00"], "a")
    layers = layered(alt.Chart(data([{"x": 1}])).mark_point())
    assert controls_of(layers) == []
    chart = with_control(layers, control)
    assert controls_of(chart) == [control]
    assert "\x00" not in control.options[1], "as it stands in the data"
    (parameter,) = chart.to_dict()["params"]
    assert (parameter["name"], parameter["value"]) == ("metric", "a")
    assert parameter["bind"]["options"] == list(control.options)


def test_marks_can_be_clicked():
    control = choices("named", "Metrics", ["a", "b"], ["b"])
    layer = clickable(alt.Chart(data([{"metric": "a"}])).mark_point(), control, "metric")
    (parameter,) = with_control(layered(layer), control).to_dict()["params"]
    assert parameter["value"] == [{"metric": "b"}]
