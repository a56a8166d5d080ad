from __future__ import annotations

from dataclasses import dataclass, fields, replace

from assay.results import Outcome, SystemComparison
from assay.results.columns import ResultColumn, Shown
from tests.reports.page.built import built
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example


def test_all_pairs_are_a_matrix_of_differences_and_p_values():
    found = example("compare")
    section, content = built("pairs", found)["pairs"]
    systems = len(found.inputs.systems)
    assert len(content.having("table", **{"class": "matrix"})) == len(found.metrics)
    assert len(content.having("td", **{"class": "diagonal"})) == systems * len(found.metrics)
    assert len(content.having("input", type="radio")) == len(found.metrics)
    assert len(content.having("div", **{"class": "panel"})) == len(found.metrics)
    assert not [attributes for attributes in content.having("div") if "hidden" in attributes], "a script hides them"
    assert "after Holm correction for 3 pairs under each score" in content.text
    assert content.having("figure")  # of the differences of single segments
    assert f"of {systems * (systems - 1) // 2}: BLEU" in section.lede
    words = [attributes["title"] for attributes in content.having("td") if "title" in attributes]
    assert all(" minus " in each and ", p " in each for each in words)


def test_differences_from_a_baseline_are_one_table_with_the_rest_folded():
    metrics = []
    for metric in (
        compared("bleu", 1.2),
        compared("bleu", 0.3, 0.4, aggregation="segment"),
        compared("ter", 0.8, 0.01),
    ):
        pair = metric.pairs[0]
        scores = {**metric.scores, "third": metric.scores["base"]}
        pairs = (pair, replace(pair, first="third", p_corrected=0.5, outcome=Outcome.NOT_SHOWN))
        metrics.append(replace(metric, pairs=pairs, scores=scores, higher_is_better=metric.metric != "ter"))
    _, content = built("pairs", comparison(*metrics))["pairs"]
    assert len([each for each in content.having("table") if "outcomes" in (each.get("class") or "")]) == 1
    assert len(content.having("table")) == 1 + len(metrics)
    assert "Differences from the baseline base" in content.text
    looks = [attributes.get("class") for attributes in content.having("td") if "data-pair" in attributes]
    assert looks == ["number a", "number", "number b", "number", "number", "number"]
    assert len(content.having("details")) == 1


def test_a_single_pair_is_one_table_with_a_row_for_each_score():
    _, content = built("pairs", comparison(compared("bleu", 1.2), compared("chrf", 0.3, 0.4)))["pairs"]
    assert len(content.having("table")) == 1
    start = content.cells.index("BLEU (n=100)")
    row = dict(zip(content.cells, content.cells[start:], strict=False))
    titles = ("new", "base", "difference [95 %]", "p")
    assert [row[title] for title in titles] == ["31.20", "30.00", "+1.20 [0.70, 1.70]", "0.0010"]
    assert "Test: approximate randomisation, 100 segments; p-values not corrected for 2 scores; a" in content.text
    assert built("pairs", example("score")) == {}


def test_a_single_pair_stands_in_the_order_of_the_verdict():
    _, content = built("pairs", comparison(compared("bleu", -1.2), compared("ter", 0.3, higher_is_better=False)))[
        "pairs"
    ]
    assert content.cells[:4] == ["Score", "base", "new", "difference [95 %]"]
    start = content.cells.index("BLEU (n=100)")
    assert content.cells[start + 1 : start + 4] == ["30.00", "28.80", "+1.20 [0.70, 1.70]"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class WithOrigin(SystemComparison):
    columns = (*SystemComparison.columns, ResultColumn("origin", read=lambda record: "ours", shown=Shown.TABLE))


def test_a_new_column_of_text_leaves_the_others_in_their_places():
    found = comparison(compared("bleu", 1.2))
    made = WithOrigin(**{each.name: getattr(found, each.name) for each in fields(found)})
    _, content = built("pairs", made)["pairs"]
    start = content.cells.index("BLEU (n=100)")
    assert content.cells[:5] == ["Score", "origin", "new", "base", "difference [95 %]"]
    assert content.cells[start + 1 : start + 5] == ["ours", "31.20", "30.00", "+1.20 [0.70, 1.70]"]
