from __future__ import annotations

import math

import altair as alt
import pytest

from assay.charts.layout import aligned_domains, compose, data, text_width, tick_count, wrapped


def test_data_is_what_json_has():
    rows = data([{"name": "a\x00b", "value": math.nan, "n": 3}]).to_dict()["values"]
    assert rows == [{"name": "a\\x00b", "value": None, "n": 3}]


def test_width_of_texts():
    assert text_width([]) == 0
    assert text_width(["iii"]) < text_width(["mmm"]) < text_width(["i", "系统系统"])
    assert tick_count(1040) > tick_count(500) > tick_count(368) >= 3


def test_titles_are_broken_into_lines():
    layer = alt.Chart(data([{"x": 1}])).mark_point().encode(x="x:Q")
    narrow, wide = (
        compose(layer, title="t", subtitle="word " * 20, width=width, height=20).to_dict()["title"]["subtitle"]
        for width in (368, 1040)
    )
    assert len(narrow) > len(wide)
    assert " ".join(narrow) == " ".join(wide) == ("word " * 20).strip()


def test_names_are_not_broken_at_their_hyphens():
    assert wrapped("better is the system Lan-Bridge", 13, 210) == ["better is the system", "Lan-Bridge"]


def test_zeros_are_below_each_other():
    (low, high), (other_low, other_high) = aligned_domains([[2.0, 1.0, 4.0], [-0.3, math.nan]])
    assert low / high == pytest.approx(other_low / other_high)
    assert low < 0
    assert high > 4
    assert other_low < -0.3


def test_each_group_is_as_wide_as_its_largest_value_asks_for():
    (_, high), (_, small) = aligned_domains([[30.0], [0.03]])
    assert high == pytest.approx(1000 * small)


def test_a_group_without_values_has_a_range():
    assert all(low < 0 < high for low, high in aligned_domains([[], [math.nan, math.inf], [0.0]]))
