from __future__ import annotations

import math

from assay.reports.blocks import PageTable
from assay.reports.cells import BLANK, Count, Flag, Interval, Number, Passage, PValue, RankRange, Segments, Text
from assay.reports.documents import Caption, Column, Grid, Section, Series, columns
from assay.reports.html.page import blocks_html
from assay.reports.html.tables import cell, table
from assay.reports.page.tables import tables
from tests.reports.html.parsed import parsed


def shown(grid, **options):
    return parsed(blocks_html([PageTable(grid, "scores", **options)]))


def test_numbers_are_those_of_other_forms_and_full_in_the_tooltip():
    found = cell(Number(38.4321, 2, low=37.41, high=39.52))
    assert (found.text, found.aside) == ("38.43", "[37.41, 39.52]")
    assert found.tooltip == "38.4321, from 37.41 to 39.52"
    assert found.order == 38.4321
    assert cell(Number(math.nan, reason="no segment")).tooltip == "no segment"
    assert cell(Number(-1.26, 2, style="signed")).text == "−1.26"
    assert cell(Number(0.5, 3, spread=0.123, n=7)).aside == "± 0.123 (7)"
    assert cell(Number(1.2, 2, style="signed", p=PValue(0.034, 0.05))).aside == "0.034"


def test_other_cells():
    assert cell(Text("x", frozenset({Flag.OUTLIER}))).classes == "outlier short"
    assert cell(Count(1234)).text == "1,234"
    assert cell(RankRange(1, 3)).text == "1–3"
    assert cell(Interval(-1.0, 2.0, 3)).text == "[−1.000, 2.000]"
    assert cell(Interval(math.nan, math.nan)).text == ""
    assert cell(Passage((Text("a "), Text("b", frozenset({Flag.DIFFERENT}))))).pieces == (("a ", False), ("b", True))
    assert cell(PValue(0.034, 0.05)).tooltip == "p = 0.034"
    assert cell(PValue(math.nan, 0.05)).tooltip == "undefined"


def test_each_mark_has_one_meaning():
    marked = [Number(0.5, flags=frozenset({Flag.AMONG_BEST})), Number(0.4, flags=frozenset({Flag.OTHER_CELLS}))]
    assert [cell(each).text for each in marked] == ["0.50†", "0.40§"]
    with_interval = Grid(columns(("a", "b", "c")), ((Text("x"), marked[1], Interval(0.3, 0.5)),))
    assert "0.40§" in shown(with_interval).text


def test_a_grid_has_row_headers_drawings_and_notes():
    grid = Grid(
        columns(("system", "bleu")),
        ((Text("a"), Number(30.0, low=29.0, high=31.0, flags=frozenset({Flag.BEST}))), (Text("b"), Number(math.nan))),
        (Caption("a note"),),
    )
    page = shown(grid)
    assert page.having("th", scope="row") == [{"scope": "row", "class": "short"}] * 2
    assert len(page.having("svg")) == 2  # the axis, and the one interval
    assert page.having("td", **{"class": "number best"})
    assert "A note." in page.text
    assert page.having("div", role="region")[0]["aria-label"] == "scores"
    assert not shown(grid, draws=False).having("svg")


def test_columns_of_one_lane_are_drawn_together_on_one_scale():
    numbers = (Number(30.0, low=29.0, high=31.0), Number(28.0, low=27.0, high=29.0, flags={Flag.SEGMENT_MEAN}))
    header = (
        Column("system", "left"),
        Column("BLEU corpus", group="BLEU", short="corpus", group_note="higher is better", lane="BLEU"),
        Column("BLEU segment mean", group="BLEU", short="segment mean", group_note="higher is better", lane="BLEU"),
    )
    grid = Grid(header, ((Text("a", frozenset({Flag.FIRST})), *numbers),))
    page = shown(grid)
    assert [each["class"] for each in page.having("g")] == ["mark ", "mark hollow"]
    assert "BLEU higher is better" in page.cells
    assert {"30.00 [29.00, 31.00]", "28.00 [27.00, 29.00]"} <= set(page.cells)
    assert page.having("tr", **{"class": "first"})
    found = table(PageTable(grid, "scores"))
    assert [header.title for header in found.headers] == ["system", "corpus", "segment mean", "BLEU"]
    assert found.groups == (("", "", 1), ("BLEU", "higher is better", 2), ("", "lane", 1))


def test_a_value_off_the_scale_is_an_arrow_with_its_number():
    values = (52, 47, 46, 45, 43, 41, 38, 2.06)
    header = (Column("system", "left"), Column("BLEU", lane="BLEU"))
    page = shown(Grid(header, tuple((Text(f"s{value}"), Number(value, 2)) for value in values)))
    assert len(page.having("circle")) == len(values) - 1
    assert "← 2.06" in page.text
    assert "Arrow: a value far from the others" in page.text
    assert "Arrow" not in shown(Grid(header, tuple((Text("s"), Number(value, 2)) for value in values[:-1]))).text


def test_rows_may_have_scales_of_their_own_with_zero_at_the_same_place():
    rows = tuple(
        (Text(name), Number(value, low=value - 1, high=value + 1)) for name, value in (("a", 30.0), ("b", 2.0))
    )
    page = shown(Grid((Column("metric", "left"), Column("difference", lane="drawn")), rows, scales=("x", "y")))
    assert len({line["x1"] for line in page.having("line", **{"class": "zero"})}) == 1
    assert [each["height"] for each in page.having("svg")] == ["40", "40"], "each with an axis below"


def test_cells_lead_to_pairs_and_to_segments():
    segments = Segments((1, 4), "“dog”", "segments", ("new", "base"), "dog", flags=frozenset({Flag.FIRST}))
    grid = Grid(
        (Column("n-gram", "left"), Column("new", role="first"), Column("segments")),
        ((Text("dog"), Count(2), segments),),
    )
    (button,) = shown(grid).having("button")
    assert (button["data-show-segments"], button["data-words"], button["class"]) == ("1 4", "dog", "lead number a")
    assert shown(grid).having("bdi", **{"class": "a"})
    paired = Grid(columns(("system", "difference")), ((Text("a"), Number(1.0)),), pairs={(0, 1): 7})
    assert shown(paired).having("td", **{"data-pair": "7"})


def test_series_are_drawn_as_curves():
    grid = Grid(columns(("metric", "n")), ((Text("a"), Count(3)),), series=(Series("a", ("1", "2"), (0.1, 0.2)),))
    assert len(shown(grid).having("path")) == 1


def test_sections_have_their_titles():
    sections = (Section((Grid(columns(("a",)), ((BLANK,),)),), title="A finding"), Section(title="Only words"))
    page = parsed(blocks_html(tables(sections, "x")))
    assert len(page.having("h3")) == 1
    assert "Only words" in page.text


def test_pages_have_the_names_of_the_literature():
    grid = Grid(
        (Column("metric", "left", label="Metric"),),
        ((Text("bleu", label="BLEU"),),),
        (Caption("{} is old", (Text("bleu", label="BLEU"),)),),
    )
    page = shown(grid)
    assert page.cells == ["Metric", "BLEU"]
    assert "BLEU is old." in page.text


def test_scores_not_shown_to_differ_from_the_best_have_a_mark():
    best, among = (
        Number(value, 2, flags=frozenset({flag})) for value, flag in ((0.9, Flag.BEST), (0.8, Flag.AMONG_BEST))
    )
    grid = Grid(columns(("system", "score")), ((Text("a"), best), (Text("b"), among), (Text("c"), Number(0.1))))
    page = shown(grid)
    assert [cell for cell in page.cells if "†" in cell] == ["0.80†"]
    assert "†: no difference from the best shown." in page.text


def test_the_head_of_a_column_of_curves_is_hidden_with_its_cells():
    series = (Series("a", ("1", "2"), (0.1, 0.2)),)
    grid = Grid(columns(("system", "score")), ((Text("a"), Number(0.1)),), series=series)
    classes = [
        (attributes.get("class") or "").split() for tag, attributes in shown(grid).elements if tag in ("th", "td")
    ]
    assert ["lane" in each for each in classes] == [False, True, False] * 2
