from __future__ import annotations

from tests.reports.page.built import built
from tests.store.examples import example


def test_a_ranking_is_drawn_and_tabulated():
    section, content = built("people", example("rank ratings"))["people"]
    assert section.heading == "Scores, intervals and clusters", "the verdict has the finding"
    beside, _ = built("people", example("rank ratings"), example("compare"))["people"]
    assert beside.heading.startswith("People ")
    assert content.having("figure")
    assert "Higher scores are better; ranks: those in the middle 95 %" in content.text
    assert {"fuzzy rank", "share first"} <= set(content.cells)
    assert {each.system for each in example("rank ratings")} <= set(content.cells)


def test_each_language_pair_has_a_section():
    assert list(built("people", example("rank pairs"))) == ["people", "people-2"]
    assert built("people", example("score")) == {}
