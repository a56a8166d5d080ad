from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from assay.charts import WIDTHS, caption, draw, svg
from assay.charts.layout import text_width
from assay.errors import ConfigError
from tests.charts.examples import calibration, compared, marks

_LEFT = 45  # px of the axis, at least
pytestmark = pytest.mark.slow  # they draw


def curve():
    return calibration().curve("chrf", agg="corpus", protocol="DA/SQM")


def test_curve_and_population():
    title, subtitle = caption(draw("calibration", calibration()))
    assert title == "Would people see a difference in chrF?"
    assert f"{curve().population.pairs} pairs of systems, 6 language pairs of wmt98" in subtitle
    assert "Band: 95 % interval" in subtitle
    assert "here" not in svg(draw("calibration", calibration()))


def test_a_difference_is_marked():
    middle = next(x for x in curve().x.tolist() if not math.isnan(curve().probability(x).low))
    text = svg(draw("calibration", calibration(), difference=middle))
    probability = curve().probability(middle)
    assert f">here: {middle:.2f}<" in text
    low, high = round(100 * probability.low), round(100 * probability.high)
    assert f"{round(100 * probability.value)} % [{low}, {high}]" in text


def test_the_difference_of_a_comparison_is_marked():
    pair = compared().metric("chrf", "corpus").pairs[0]
    chart = draw("calibration", calibration(), compared())
    text = svg(chart)
    if curve().x[0] <= abs(pair.difference.value) <= curve().x[-1]:
        assert f">here: {abs(pair.difference.value):.2f}<" in text
    else:
        assert "no calibration" in caption(chart)[1]
    assert len(marks(text)) > len(marks(svg(draw("calibration", calibration()))))


def test_differences_have_the_digits_that_the_scale_of_the_metric_needs():
    small = replace(curve(), x=curve().x / 100)
    middle = float(small.x[len(small.x) // 2])
    text = svg(draw("calibration", replace(calibration(), curves=(small,)), difference=middle))
    cutoffs = [float(each) for each in re.findall(r">\d+ % at (\d\.\d{4,6})<", text)]
    assert cutoffs
    assert all(cutoffs)
    assert f">here: {middle:.4f}<" in text
    assert re.search(r">\d+ % at \d+\.\d\d<", svg(draw("calibration", calibration())))


def test_no_calibration_beyond_what_was_observed():
    chart = draw("calibration", calibration(), difference=500.0)
    assert "At 500.00: no calibration" in caption(chart)[1]
    assert "here" not in svg(chart)


def test_the_orientation_is_named():
    for orientation, words in {"by-metric": "the better-scored system", "absolute": "either system"}.items():
        oriented = replace(calibration(), settings={**calibration().settings, "orientation": orientation})
        assert f"people significantly prefer {words}, by" in caption(draw("calibration", oriented))[1]


@pytest.mark.parametrize("width", WIDTHS)
def test_words_are_not_cut(width):
    curve = calibration().curves[0]
    for x in np.linspace(curve.x[0], curve.x[-1], 7).tolist():
        text = svg(draw("calibration", calibration(), difference=x, width=width))
        for words in re.findall(r">(here[^<]*|\d+ % \[[^<]*)<", text):
            element = _element(text, f">{words}<")
            place = float(re.search(r"translate\(([\d.]+)", element)[1]) + _LEFT
            wide = text_width([words])
            end, start = (place, place - wide) if 'text-anchor="end"' in element else (place + wide, place)
            assert start >= 0, words
            assert end <= width, words


def test_no_such_curve():
    with pytest.raises(ConfigError, match="no such curve: metric=bleu"):
        draw("calibration", calibration(), metric="bleu")


def test_words_stand_on_the_side_with_room():
    curve = calibration().curves[0]
    small, large = (svg(draw("calibration", calibration(), difference=float(x))) for x in (curve.x[1], curve.x[-1]))
    assert 'text-anchor="start"' in _element(small, ">here: ")
    assert 'text-anchor="end"' in _element(large, ">here: ")


def _element(text, content):
    end = text.index(content)
    return text[text.rindex("<text", 0, end) : end]
