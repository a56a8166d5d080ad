from __future__ import annotations

import numpy as np
import pytest

from assay.reports import document
from assay.reports.cells import Count, Flag, Number, Text, cell_text
from assay.reports.documents import Grid, columns
from assay.reports.metric_differences import p_value_section, verdict, with_ranks, with_winners
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign
from tests.results.test_metric_differences import made


def texts(grid):
    return [[cell_text(cell) for cell in row] for row in grid.rows]


ROWS = (None, "a", "b")


def caption_texts(grid):
    return [caption.template.format(*map(cell_text, caption.values)) for caption in grid.captions]


def test_ranks_stand_beside_values_and_winners_have_a_star():
    grid = Grid(columns(("pearson", "de-en")), tuple((Text(name), Number(0.5)) for name in ("systems", "b", "a")))
    ranked = with_ranks(grid, (None, "a", "b"), [None, made()])
    assert [column.title for column in ranked.columns] == ["pearson", "de-en", "tested rank"]
    assert [row[2] for row in texts(ranked)] == ["", "1*", "2 "]  # by the names of the metrics, not by what cells say
    caption, _ = caption_texts(ranked)
    assert caption == (
        "tested rank: williams, one-sided p < 0.05, not corrected for 1 pair of metrics; * no metric is significantly "
        "better, at any rank. Null hypothesis: no difference"
    )
    corrected = caption_texts(with_ranks(grid, ROWS, [None, made(correction="holm", sides="two")]))[0]
    assert "two-sided p < 0.05, after holm over 1 pair of metrics" in corrected


def test_ranks_and_values_form_a_group():
    """Stars are at the ranks alone, so that LaTeX explains them once; no two columns of a group are called rank."""
    best = frozenset({Flag.BEST})
    rows = (Text("systems"), Count(5)), (Text("a"), Number(0.9, flags=best)), (Text("b"), Number(0.5))
    test = made(p_values=np.array([[np.nan, 0.3], [0.7, np.nan]]))
    ranked = with_ranks(Grid(columns(("pearson", "de-en")), rows), ROWS, [None, test])
    assert [(column.group, column.short) for column in ranked.columns[1:]] == [("de-en", "value"), ("de-en", "")]
    assert [row[1].flags for row in ranked.rows] == [frozenset(), best, frozenset()]
    assert [row[2] for row in texts(ranked)] == ["", "1*", "1*"]


def test_a_paper_marks_the_winners():
    best = frozenset({Flag.BEST})
    rows = (Text("systems"), Count(5)), (Text("a"), Number(0.9, flags=best)), (Text("b"), Number(0.5))
    grid = Grid(columns(("metric", "de-en")), rows)
    undecided = made(p_values=np.array([[np.nan, 0.3], [0.7, np.nan]]))
    marked = with_winners(grid, ROWS, [None, undecided])
    assert [row[1].flags for row in marked.rows] == [frozenset(), best, frozenset({Flag.AMONG_BEST})]
    assert caption_texts(marked)[0] == "tests: Williams, one-sided, p < 0.05, not corrected for 1 pair of metrics"
    assert [caption.role for caption in marked.captions] == ["explanation", "remark", "remark"]
    assert [row[1].flags for row in with_winners(grid, ROWS, [None, made()]).rows][2] == frozenset()
    assert with_winners(grid, ROWS, [None, None]) == grid


def test_draws_and_their_smallest_p_value_are_named():
    grid, drawn = Grid(columns(("pearson", "de-en")), ()), {"test": "perm-systems", "resamples": 1000}
    random = {"is_exact": np.zeros((2, 2), dtype=bool), "smallest_p": np.full((2, 2), 1 / 1001)}
    exact = {"is_exact": np.ones((2, 2), dtype=bool), "smallest_p": np.full((2, 2), 1 / 512)}
    assert (
        "1,000 resamples, so that p is at least 0.0010;"
        in caption_texts(with_ranks(grid, (), [None, made(**drawn, **random)]))[0]
    )
    assert "pair of metrics, exact;" in caption_texts(with_ranks(grid, (), [None, made(**drawn, **exact)]))[0]


def test_metrics_that_lack_systems_have_no_rank():
    grid = Grid(columns(("pearson", "de-en")), tuple((Text(name), Number(0.5)) for name in "abc"))
    test = made(**three(1, 2) | {"systems": np.array([10, 14, 14])})
    ranked = with_ranks(grid, tuple("abc"), [None, test])
    assert [row[2] for row in texts(ranked)] == ["", "1*", "1*"]
    _, lacking, sentence = caption_texts(ranked)
    assert lacking == "no tested rank where metrics have fewer systems than most: a"
    assert sentence == "de-en: b has the highest value, but is not significantly better than c (p = 0.50)"


def test_without_tests_nothing_changes():
    grid = Grid(columns(("pearson", "de-en")), ())
    assert with_ranks(grid, (), [None, None]) is grid


def test_the_matrix():
    section = p_value_section(made(outliers="dropped"))
    assert section.title == "de-en without outliers"
    assert texts(section.grids[0]) == [["a", "0.900", "9", "–", "0.010"], ["b", "0.500", "9", "0.99", "–"]]
    (caption,) = caption_texts(section.grids[0])
    assert caption == "pearson: williams, one-sided p < 0.05, not corrected for 1 pair of metrics"
    assert p_value_section(made(lp=None, sides="two")).grids[0].columns[0].title.endswith("(two-sided)")


def test_pairs_on_fewer_cells_are_marked_in_the_matrix():
    n = np.array([[14, 14, 10], [14, 14, 10], [10, 10, 10]])
    p = np.array([[np.nan, 0.0495, 0.2], [0.9, np.nan, 0.05], [0.8, 0.9, np.nan]])
    section = p_value_section(made(**three() | {"n": n, "p_values": p, "uncorrected": p}))
    rows = texts(section.grids[0])
    assert rows[0] == ["a", "0.900", "14", "–", "0.0495", "0.20 †"]
    assert rows[1][3:] == ["0.90", "–", "0.050 †"]
    assert caption_texts(section.grids[0])[1].startswith("† on fewer cells than n")


def test_the_table_of_metrics():
    table = meta([campaign(), campaign("en-de")], sig="perm-systems:resamples=20", outliers="keep")
    (section,) = document(table).sections
    titles = [column.title for column in section.grids[0].columns]
    assert titles == ["rank", "pearson", "average", "tested rank", "de-en", "tested rank", "en-de", "tested rank"]
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
    grid = Grid(columns(("pearson", *"1234")), ())
    by_pair = zip("1234", (0.01, 0.2, 0.01, 0.01), strict=True)
    tests = [made(lp=lp, p_values=np.array([[np.nan, p], [0.99, np.nan]])) for lp, p in by_pair]
    *_, caption = with_ranks(grid, (), [None, *tests]).captions
    text = caption.template.format(*map(cell_text, caption.values))
    assert text == "no metric is significantly better than a on 4, b on 1 of 4 language pairs"
