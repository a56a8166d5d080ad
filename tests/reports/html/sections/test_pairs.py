from __future__ import annotations

from tests.reports.html.comparisons import compared, comparison
from tests.reports.html.sections.built import built
from tests.store.examples import example


def test_all_pairs_are_a_matrix_of_differences_and_p_values():
    found = example("compare")
    section, content = built("pairs", found)["pairs"]
    systems = len(found.inputs.systems)
    assert len(content.having("table", **{"class": "matrix"})) == len(found.metrics)
    assert len(content.having("td", **{"class": "diagonal"})) == systems * len(found.metrics)
    assert len(content.having("input", type="radio")) == len(found.metrics)
    hidden = [attributes for attributes in content.having("div") if "hidden" in attributes]
    assert len(hidden) == len(found.metrics) - 1
    assert "corrected for the 3 pairs" in content.text
    assert content.having("figure")  # of the differences of single segments
    assert f"of {systems * (systems - 1) // 2}: BLEU" in section.lede
    words = [attributes["title"] for attributes in content.having("td") if "title" in attributes]
    assert all(" minus " in each and ", p " in each for each in words)


def test_a_single_pair_is_one_table_with_a_row_for_each_score():
    _, content = built("pairs", comparison(compared("bleu", 1.2), compared("chrf", 0.3, 0.4)))["pairs"]
    assert len(content.having("table")) == 1
    assert {"BLEU", "chrF", "new", "base"} <= set(content.cells)
    assert built("pairs", example("score")) == {}
