from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.reports import document
from assay.reports.cells import Count, Flag, Number, cell_text
from assay.reports.metric_differences import (
    p_value_section,
    rank_captions,
    rank_column,
    verdict,
    winner_captions,
    with_winners,
)
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign
from tests.results.test_metric_differences import made


def texts(grid):
    return [[cell_text(cell) for cell in row] for row in grid.rows]


ROWS = (None, "a", "b")


def caption_texts(captions):
    return [caption.template.format(*map(cell_text, caption.values)) for caption in captions]


def test_ranks_stand_beside_values_and_winners_have_a_star():
    column, cells = rank_column((None, "b", "a"), made())
    assert column.title == "tested rank"
    assert [cell_text(cell) for cell in cells] == ["", "2 ", "1*"]
    caption, _ = caption_texts(rank_captions([made()]))
    assert caption == (
        "tested rank: williams, one-sided p < 0.05, not corrected for 1 pair of metrics; * no metric is significantly "
        "better, at any rank. Null hypothesis: no difference"
    )
    corrected, _ = caption_texts(rank_captions([made(correction="holm", sides="two")]))
    assert "two-sided p < 0.05, after Holm correction for 1 pair of metrics" in corrected


def test_a_paper_marks_the_winners():
    best = frozenset({Flag.BEST})
    cells = [Count(5), Number(0.9, flags=best), Number(0.5)]
    undecided = made(p_values=np.array([[np.nan, 0.3], [0.7, np.nan]]))
    marked = [cell.flags for cell in with_winners(cells, ROWS, undecided)]
    assert marked == [frozenset(), best, frozenset({Flag.AMONG_BEST})]
    assert with_winners(cells, ROWS, made()) == cells
    captions = list(winner_captions([undecided]))
    assert caption_texts(captions)[0] == "tests: Williams, one-sided, p < 0.05, not corrected for 1 pair of metrics"
    assert [caption.role for caption in captions] == ["explanation", "remark", "remark"]


def test_draws_and_their_smallest_p_value_are_named():
    drawn = {"test": "perm-systems", "resamples": 1000}
    random = {"is_exact": np.zeros((2, 2), dtype=bool), "smallest_p": np.full((2, 2), 1 / 1001)}
    exact = {"is_exact": np.ones((2, 2), dtype=bool), "smallest_p": np.full((2, 2), 1 / 512)}
    by_chance, _ = caption_texts(rank_captions([made(**drawn, **random)]))
    assert "1,000 resamples, so that p is at least 0.0010;" in by_chance
    assert "pair of metrics, exact;" in caption_texts(rank_captions([made(**drawn, **exact)]))[0]


def test_metrics_that_lack_systems_have_no_rank():
    test = made(**three(1, 2) | {"systems": np.array([10, 14, 14])})
    _, cells = rank_column(tuple("abc"), test)
    assert [cell_text(cell) for cell in cells] == ["", "1*", "1*"]
    _, lacking, sentence = caption_texts(rank_captions([test]))
    assert lacking == "no tested rank where metrics have fewer systems than most: a"
    assert sentence == "de-en: b has the highest value, but is not significantly better than c (p = 0.50)"


def test_without_tests_nothing_is_said():
    assert not [*rank_captions([]), *winner_captions([])]


def test_the_matrix():
    section = p_value_section(made(outliers="dropped"))
    assert section.title == "de-en without outliers"
    assert texts(section.grids[0]) == [["a", "0.900", "9", "–", "0.010"], ["b", "0.500", "9", "0.99", "–"]]
    (caption,) = caption_texts(section.grids[0].captions)
    assert caption == "pearson: williams, one-sided p < 0.05, not corrected for 1 pair of metrics"
    assert p_value_section(made(lp=None, sides="two")).grids[0].columns[0].title.endswith("(two-sided)")


def test_pairs_on_fewer_cells_are_marked_in_the_matrix():
    n = np.array([[14, 14, 10], [14, 14, 10], [10, 10, 10]])
    p = np.array([[np.nan, 0.0495, 0.2], [0.9, np.nan, 0.05], [0.8, 0.9, np.nan]])
    section = p_value_section(made(**three() | {"n": n, "p_values": p, "uncorrected": p}))
    rows = texts(section.grids[0])
    assert rows[0] == ["a", "0.900", "14", "–", "0.0495", "0.20 §"]
    assert rows[1][3:] == ["0.90", "–", "0.050 §"]
    assert caption_texts(section.grids[0].captions)[1].startswith("§ on fewer cells than n")


def test_the_table_of_metrics():
    table = meta([campaign(), campaign("en-de")], sig="perm-systems:resamples=20", outliers="keep")
    (section,) = document(table).sections
    header = section.grids[0].columns
    titles = [column.title for column in header]
    assert titles == ["rank", "pearson", "average", "tested rank", "de-en", "tested rank", "en-de", "tested rank"]
    assert [(column.group, column.short) for column in header[4:6]] == [("de-en", "value"), ("de-en", "")]
    with_matrices = list(document(table, p_values=True).sections)
    assert [section.title for section in with_matrices[1:]] == ["average over language pairs", "de-en", "en-de"]


def sentence(**changes):
    caption = verdict(made(**changes))
    return caption.template.format(*map(cell_text, caption.values))


def three(*significant):
    p = np.full((3, 3), 0.5)
    for worse in significant:
        p[0, worse] = 0.01
    return {
        "metrics": ("a", "b", "c"),
        "values": np.array([0.9, 0.8, 0.7]),
        "p_values": p,
        "uncorrected": p,
        "systems": np.full(3, 9),
        "smallest_p": np.zeros((3, 3)),
        "is_exact": np.ones((3, 3), dtype=bool),
        "n": np.full((3, 3), 9),
        "differences": np.subtract.outer([0.9, 0.8, 0.7], [0.9, 0.8, 0.7]),
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "de-en: a agrees significantly better with the human scores than b (p = 0.010)"),
        ({"alpha": 0.001}, "de-en: a has the highest value, but is not significantly better than b (p = 0.010)"),
        (
            {"lp": None, "outliers": "dropped", **three(1, 2)},
            "average over language pairs without outliers: "
            "a agrees significantly better with the human scores than b, c",
        ),
        (three(2), "de-en: a agrees significantly better with the human scores than c, but not than b"),
        (three(), "de-en: a has the highest value, but is not significantly better than b, c"),
    ],
)
def test_the_verdict(changes, expected):
    assert sentence(**changes) == expected


def test_the_average_has_the_verdict_where_it_is_tested():
    for sig, places in (
        ("perm-systems:resamples=20", ["average over language pairs"]),
        ("williams", ["de-en", "en-de"]),
    ):
        table = meta([campaign(), campaign("en-de")], sig=sig, outliers="keep")
        (section,) = document(table).sections
        captions = [each for each in section.grids[0].captions if each.template.startswith("{}: {}")]
        assert [cell_text(each.values[0]) for each in captions if len(each.values) > 2] == places


def test_many_language_pairs_share_a_sentence():
    by_pair = zip("1234", (0.01, 0.2, 0.01, 0.01), strict=True)
    tests = [made(lp=lp, p_values=np.array([[np.nan, p], [0.99, np.nan]])) for lp, p in by_pair]
    *_, caption = rank_captions(tests)
    text = caption.template.format(*map(cell_text, caption.values))
    assert text == "no metric is significantly better than a on 4, b on 1 of 4 language pairs"


def test_pages_and_papers_have_labels():
    test = replace(made(), test="williams", metrics=("bleu-refA", "chrf-refA"))
    (tested,) = (caption.values[0] for caption in rank_captions([test]) if caption.values[0].label)
    assert tested.text.startswith("tested rank: williams, ")
    assert "(Williams, " in tested.label
    assert verdict(test).values[1].label == "BLEU-refA"
