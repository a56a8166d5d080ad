from __future__ import annotations

import pytest

from assay.reports.blocks import Beside
from assay.reports.html.figures import drawn
from assay.reports.html.page import blocks_html
from assay.reports.page.figures import HALF, Wanted, figures
from tests.reports.html.parsed import parsed
from tests.store.examples import example

pytestmark = pytest.mark.slow  # charts take long to draw


def test_a_chart_is_drawn_for_wide_and_narrow_pages_in_the_colours_of_the_page():
    (figure,) = figures([Wanted("human-ranking"), Wanted("scores")], example("rank ratings"))
    page = parsed(blocks_html([figure]))
    figure = drawn(figure)
    assert len(page.having("svg")) == 2
    assert all(attributes["aria-label"].startswith(figure.title) for attributes in page.having("div", role="img"))
    assert "var(--chart-" in figure.wide
    assert not [attributes for _, attributes in page.elements if "style" in attributes]


def test_charts_without_numbers_are_left_out():
    assert figures([Wanted("human-ranking")], example("score")) == ()


def test_two_charts_of_half_the_width_stand_side_by_side():
    wanted = [Wanted("scores", width, {"metric": "bleu"}) for width in (HALF, HALF, HALF, 1040)]
    blocks = figures(wanted, example("score"))
    assert [len(parsed(blocks_html([block])).having("figure")) for block in blocks] == [2, 1, 1]
    assert [isinstance(block, Beside) for block in blocks] == [True, True, False]
