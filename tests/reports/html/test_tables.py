from __future__ import annotations

import math

from assay.reports.cells import BLANK, Count, Flag, Interval, Number, Passage, PValue, RankRange, Text
from assay.reports.documents import Caption, Grid, Section, Series, columns
from assay.reports.html.tables import cell, grid_html, number_text, p_text, sections_html
from tests.reports.html.parsed import parsed


def test_numbers_are_short_in_the_cell_and_full_in_the_tooltip():
    shown = cell(Number(38.4321, 2, low=37.41, high=39.52))
    assert (shown.text, shown.aside) == ("38.4", "37.4 to 39.5")
    assert shown.tooltip == "38.4321, from 37.41 to 39.52"
    assert shown.order == 38.4321
    assert cell(Number(math.nan, reason="no segment")).tooltip == "no segment"
    assert number_text(Number(-0.004, 2)) == "0.00"
    assert number_text(Number(-1.26, 2, style="signed")) == "−1.3"
    assert cell(Number(0.5, 3, spread=0.123, n=7)).aside == "± 0.12 (7)"
    assert [number_text(Number(value, decimals)) for value, decimals in ((0.62, 2), (0.987, 3), (38.43, 2))] == [
        "0.62",
        "0.99",
        "38.4",
    ]


def test_other_cells():
    assert cell(Text("x", frozenset({Flag.OUTLIER}))).classes == "outlier short"
    assert cell(Count(1234)).text == "1,234"
    assert cell(RankRange(1, 3)).text == "1–3"
    assert cell(Interval(1.0, 2.0, 3)).text == "1.00 to 2.00"  # as the values beside them
    assert cell(Interval(math.nan, math.nan)).text == ""
    assert cell(Passage((Text("a "), Text("b", frozenset({Flag.DIFFERENT}))))).pieces == (("a ", False), ("b", True))
    assert [p_text(p) for p in (0.0004, 0.034, 0.1 + 0.2, 1.0, math.nan)] == ["<.001", ".034", ".300", "1", "–"]
    assert cell(PValue(0.034)).tooltip == "p = 0.034"


def test_a_grid_has_row_headers_drawings_and_notes():
    grid = Grid(
        columns(("system", "bleu")),
        ((Text("a"), Number(30.0, low=29.0, high=31.0, flags=frozenset({Flag.BEST}))), (Text("b"), Number(math.nan))),
        (Caption("a note"),),
    )
    page = parsed(grid_html(grid, caption="scores"))
    assert page.having("th", scope="row") == [{"scope": "row", "class": "short"}] * 2
    assert len(page.having("svg")) == 2  # the axis, and the one interval
    assert page.having("td", **{"class": "number best"})
    assert "a note" in page.text
    assert page.having("div", role="region")[0]["aria-label"] == "scores"


def test_series_are_drawn_as_curves():
    grid = Grid(columns(("metric", "n")), ((Text("a"), Count(3)),), series=(Series("a", ("1", "2"), (0.1, 0.2)),))
    assert len(parsed(grid_html(grid, caption="curves")).having("path")) == 1


def test_sections_have_their_titles():
    sections = (Section((Grid(columns(("a",)), ((BLANK,),)),), title="A finding"), Section(title="Only words"))
    page = parsed(sections_html(sections, caption="x"))
    assert len(page.having("h3")) == 1
    assert "Only words" in page.text


def test_scores_not_shown_to_differ_from_the_best_have_a_mark():
    best, among = (
        Number(value, 2, flags=frozenset({flag})) for value, flag in ((0.9, Flag.BEST), (0.8, Flag.AMONG_BEST))
    )
    grid = Grid(columns(("system", "score")), ((Text("a"), best), (Text("b"), among), (Text("c"), Number(0.1))))
    page = parsed(grid_html(grid, caption="scores"))
    assert [cell for cell in page.cells if "†" in cell] == ["0.80†"]
    assert "†: no difference from the best shown." in page.text


def test_the_head_of_a_column_of_curves_is_hidden_with_its_cells():
    series = (Series("a", ("1", "2"), (0.1, 0.2)),)
    grid = Grid(columns(("system", "score")), ((Text("a"), Number(0.1)),), series=series)
    page = parsed(grid_html(grid, caption="curves"))
    classes = [(attributes.get("class") or "").split() for tag, attributes in page.elements if tag in ("th", "td")]
    assert ["lane" in each for each in classes] == [False, True, False] * 2
