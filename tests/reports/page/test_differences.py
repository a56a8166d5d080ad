from __future__ import annotations

import math

import pytest

from assay.reports.html.page import blocks_html
from assay.reports.page.verdict import difference_blocks
from tests.reports.html.parsed import parsed
from tests.reports.page.comparisons import compared, comparison


def difference_table(found):
    return blocks_html(difference_blocks(found))


def test_metrics_whose_lower_scores_are_better_are_turned_round_and_the_page_says_so():
    page = parsed(difference_table(comparison(compared("bleu", 1.2), compared("ter", -2.0, higher_is_better=False))))
    assert "also by TER, where lower scores are better" in page.text
    assert "+2.00" in page.cells
    assert "[1.50, 2.50]" in page.cells
    assert len(page.having("g", **{"class": "mark a"})) == 2


def test_zero_is_drawn_also_where_all_intervals_are_on_one_side():
    page = parsed(difference_table(comparison(compared("bleu", 1.2), compared("chrf", 2.0))))
    assert len(page.having("line", **{"class": "zero"})) == 2


def test_each_metric_has_a_scale_of_its_own_with_zero_at_the_same_place():
    scores = [compared("bleu", 30.0), compared("bleu", 20.0, aggregation="segment"), compared("hlepor", 1.0)]
    page = parsed(difference_table(comparison(*scores)))
    assert len({attributes["x1"] for attributes in page.having("line", **{"class": "zero"})}) == 1
    first, mean, small = (float(attributes["cx"].rstrip("%")) for attributes in page.having("circle"))
    zero = float(page.having("line", **{"class": "zero"})[0]["x1"].rstrip("%"))
    assert small - zero > (first - zero) / 2, "not a dot at zero"
    assert (mean - zero) / (first - zero) == pytest.approx(2 / 3, abs=0.01), "one scale for both aggregations"
    heights = [attributes["height"] for attributes in page.having("svg")]
    assert heights == ["24", "40", "40"], "an axis below the last row of each metric"


def test_colours_and_shapes_say_what_words_say():
    scores = [compared("bleu", 1.2), compared("bleu", 0.1, 0.5, aggregation="segment"), compared("chrf", -1.0)]
    page = parsed(difference_table(comparison(*scores)))
    looks = [attributes["class"] for attributes in page.having("g")]
    assert looks == ["mark a", "mark unshown hollow", "mark b"]
    small = parsed(difference_table(comparison(compared("bleu", 0.02, 0.5))))
    assert "+0.02" in small.cells
    undefined = parsed(difference_table(comparison(compared("bleu", math.nan, math.nan))))
    assert not undefined.having("g")
    assert "–" in undefined.cells
