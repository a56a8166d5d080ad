from __future__ import annotations

import json

import numpy as np
import pytest

from assay.reports import document as make_document
from assay.reports import renderer
from assay.study.robustness import robustness
from assay.types import ScoreTable
from tests.campaigns_with_metrics import campaign, human, metric
from tests.tables import table_lines

FORMS = ("table", "json", "jsonl", "tsv", "csv", "md", "latex", "xlsx", "parquet")
KINDS = ({"kind": "top"}, {"kind": "windows"}, {"kind": "without-one"}, {"kind": "subsamples", "resamples": 20})


def document(scores=None, **options):
    few = metric("fair", 3.0, systems=("a", "b", "c", "d", "far"))
    given = campaign(scores=scores or (human(), metric("good", 0.1), few))
    found = robustness(given, **options)
    return make_document(found)


def lines(form="table", **options):
    return table_lines(renderer.create(form).render(document(**options)))


def cells(line):
    return [cell for cell in line.split("  ") if cell.strip()]


def test_the_best_systems_with_a_chart():
    header, good, fair, brackets, outliers, signature = lines()
    assert header.split()[:2] == ["pearson,", "top"]
    assert header.split()[-4:] == ["n", "6", "5", "4"]
    assert "▁" in header
    assert good.split()[0] == "good-refA"
    assert good.split()[2] == "6"
    assert len(good.split()[1]) == 3
    assert fair.split()[2] == "5"
    assert [cell for cell in fair.split() if cell.startswith("(")] == ["(5)", "(4)", "(3)"]  # of those the metric has
    assert fair.split()[-2:] == ["–", "(3)"]
    assert brackets.startswith("in parentheses: the number of systems behind a value")
    assert outliers.startswith("outliers, further than 2.5 scaled median deviations from the median: far (rank 6, ")
    assert signature == "kind:top|statistic:pearson|gold:da|min_systems:4|cutoff:2.5"


def test_windows_have_a_column_for_all():
    header, good, *_ = lines(kind="windows")
    assert header.split()[-5:] == ["n", "all", "3-6", "2-5", "1-4"]
    assert len(good.split()) == 7


def test_systems_by_influence():
    header, n, none, first, *_ = lines(kind="without-one")
    assert header.split() == ["pearson,", "without", "rank", "good-refA", "fair-refA"]
    assert (n.split(), none.split()[0]) == (["n", "6", "5"], "(none)")
    assert first.split()[:2] == ["far", "6"]
    text = "\n".join(lines(kind="without-one"))
    assert len(next(line for line in text.splitlines() if line.startswith("e ")).split()) == 3  # fair has no e


def test_a_grid_for_each_set_of_included_systems():
    found = lines(kind="subsamples", subset_size=4, resamples=50)
    heads = [line for line in found if line.startswith("pearson")]
    assert [cells(head)[0] for head in heads] == ["pearson, 4 of 5", "pearson, far + 3 of 5"]
    assert heads[0].split()[-10:] == ["2.5", "%", "25", "%", "50", "%", "75", "%", "97.5", "%"]
    assert len(found[1].split()) == 10
    assert sum(line.startswith("outliers") for line in found) == 1


def test_resamples_without_a_value_are_counted():
    scores = (human(), ScoreTable("flat", "system", tuple("abcde"), np.array([[1.0]] * 4 + [[2.0]])))
    found = lines(kind="subsamples", subset_size=4, outliers=(), resamples=50, scores=scores)
    assert any(line.startswith("flat-src: undefined in ") and line.endswith("are constant") for line in found)


def test_no_outliers():
    same = ScoreTable("da", "system", tuple("abcde"), np.array([[1.0]] * 4 + [[2.0]]), protocol="DA")
    found = lines(scores=(same, metric("good", 0.1)))
    assert found[-2].startswith("no outliers: more than half of the systems have the same human score")
    even = ScoreTable("da", "system", tuple("abcde"), np.arange(5.0)[:, np.newaxis], protocol="DA")
    assert lines(scores=(even, metric("good", 0.1)))[-2].startswith("no outliers: none is further than 2.5")


@pytest.mark.parametrize("options", KINDS, ids=lambda options: options["kind"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_and_the_same_again(options, form):
    first, second = (renderer.create(form).render(document(**options)) for _ in range(2))
    assert first == second
    assert len(first) > 100


def test_charts_are_only_where_there_is_a_font():
    assert "█" in renderer.create("md").render(document())
    assert not set("▁▂▃▄▅▆▇█·") & set(renderer.create("latex").render(document()))


@pytest.mark.parametrize("options", KINDS, ids=lambda options: options["kind"])
def test_rows_have_the_columns(options):
    found = document(**options)
    rows = list(found.rows)
    assert rows
    for row in rows:
        assert list(row) == list(found.columns)
        for name, kind in found.columns.items():
            assert row[name] is None or isinstance(row[name], kind)


def test_json():
    tree = json.loads(renderer.create("json").render(document(kind="without-one")))
    assert (tree["lp"], tree["gold"], tree["order"][0]) == ("de-en", "da", "e")
    assert tree["outliers"]["systems"] == ["far"]
    assert tree["curves"][0]["points"][0].keys() >= {"label", "systems", "value", "n", "reason"}
