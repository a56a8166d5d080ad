from __future__ import annotations

from assay.reports import document
from assay.reports.cells import cell_text
from assay.reports.documents import Grid, columns
from assay.reports.metric_differences import p_value_section, with_ranks
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign
from tests.results.test_metric_differences import made


def texts(grid):
    return [[cell_text(cell) for cell in row] for row in grid.rows]


def test_ranks_stand_beside_values_and_winners_have_a_star():
    from assay.reports.cells import Number, Text

    grid = Grid(columns(("pearson", "de-en")), tuple((Text(name), Number(0.5)) for name in ("systems", "a", "b")))
    ranked = with_ranks(grid, [None, made()])
    assert [column.title for column in ranked.columns] == ["pearson", "de-en", "tested rank"]
    assert [row[2] for row in texts(ranked)] == ["", "1*", "2 "]
    caption = ranked.captions[0].template.format(*map(cell_text, ranked.captions[0].values))
    winners = "* no metric is significantly better"
    assert caption == f"tested rank: williams, p <= 0.05; {winners}. Null hypothesis: no difference"
    corrected = with_ranks(grid, [None, made(correction="holm")]).captions[0].template
    assert "after holm" in corrected


def test_without_tests_nothing_changes():
    grid = Grid(columns(("pearson", "de-en")), ())
    assert with_ranks(grid, [None, None]) is grid


def test_the_matrix():
    section = p_value_section(made(outliers="dropped"))
    assert section.title == "de-en without outliers"
    assert texts(section.grids[0]) == [["a", "0.900", "–", "0.010"], ["b", "0.500", "0.990", "–"]]
    assert p_value_section(made(lp=None, sides="two")).grids[0].columns[0].title.endswith("(two-sided)")


def test_the_table_of_metrics():
    table = meta([campaign(), campaign("en-de")], sig="perm-systems:resamples=20", outliers="keep")
    (section,) = document(table).sections
    titles = [column.title for column in section.grids[0].columns]
    assert titles == ["rank", "pearson", "average", "tested rank", "de-en", "tested rank", "en-de", "tested rank"]
    with_matrices = list(document(table, p_values=True).sections)
    assert [section.title for section in with_matrices[1:]] == ["average over language pairs", "de-en", "en-de"]
