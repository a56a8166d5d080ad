from __future__ import annotations

from assay.charts import svg
from assay.charts.intervals import COLUMN_GAP, dots, reference_line, right_column
from assay.charts.layout import compose
from assay.charts.theme import configuration

ROWS = [
    {"name": "b", "value": 2.0, "low": 1.0, "high": 3.0, "role": "first", "hollow": True, "text": "2.0"},
    {"name": "a", "value": 1.0, "low": float("nan"), "high": float("nan"), "role": "ink", "hollow": False, "text": "1"},
]


def drawn(*layers):
    chart = compose(*layers, title="t", subtitle="s", width=368, height=48)
    return svg(chart.configure(**configuration("light")))


def test_dots_in_the_order_of_the_rows():
    text = drawn(*dots(ROWS, {"title": "points"}))
    assert text.index(">b<") < text.index(">a<")
    marks = text[text.index("layer_0_marks") :]
    assert marks.count("<line") == 1, "no interval, no line"
    assert marks.count('<path aria-label="') == 2, "each dot says what it is"
    assert 'fill="#ffffff" stroke="#0b65a3"' in marks
    assert 'fill="#16191d" stroke="#16191d"' in marks


def test_columns_beside_the_plot():
    column, offset = right_column(ROWS, "text", COLUMN_GAP, title="score")
    assert offset > 2 * COLUMN_GAP
    text = drawn(*dots(ROWS, {"title": "points"}), column)
    assert ">2.0<" in text
    assert ">score<" in text
    assert 'width="368"' in text


def test_reference_line():
    assert "#9aa2ab" in drawn(reference_line({"title": None}), *dots(ROWS, {"title": None}))
