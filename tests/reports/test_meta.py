from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from assay.reports import document as make_document
from assay.reports import renderer
from assay.study.meta import meta
from assay.types import Campaign, Rankings, ScoreTable
from assay.version import __version__
from tests.campaigns_with_metrics import campaign, human, metric
from tests.tables import table_lines


@pytest.fixture(scope="module")
def table():
    few = campaign("en-de", scores=(human(), metric("good", 1.0, systems=("a", "b", "c", "far")), metric("fair", 3.0)))
    return meta([campaign(scores=(human(), metric("good", 0.1), metric("fair", 2.0))), few], outliers="both")


def render(table, form):
    return renderer.create(form).render(make_document(table))


def test_two_columns_where_there_are_outliers(table):
    lines = table_lines(render(table, "table"))
    titles = "rank pearson average without outliers de-en without 1 outlier en-de without 1 outlier"
    assert " ".join(lines[0].split()) == titles
    assert lines[1].split() == ["systems", "6", "5", "6", "5"]
    assert lines[3].startswith("2     good-refA")  # of fewer systems, so it comes last
    assert f"{_value(table, 'kept'):.3f} [" in lines[3]
    assert lines[3].split()[-3:] == ["(4)", f"{_value(table, 'dropped'):.3f}", "(3)"]
    assert lines[4].strip().startswith("random metric")
    assert "±" in lines[4]
    assert lines[5:11] == [
        "metrics on fewer systems than most, in parentheses, come after the others whatever their values",
        "± in the row of the random metric: standard deviation over random metrics",
        "outliers in de-en: far",
        "outliers in en-de: far",
        "95 % intervals: Fisher's z over systems; averages: language pairs taken as independent",
        "good-refA: no interval: Fisher's z needs more than 3 systems",
    ]
    assert lines[11].startswith("statistic:pearson|data:wmt99|lp:de-en+en-de|gold:da|level:system|grouping:none|")
    assert lines[11].endswith(f"|ci:fisher|confidence:0.95|version:{__version__}")


def _value(table, kind):
    found = table["good-refA"].agreements
    return next(a.value for column, a in found.items() if column.lp == "en-de" and column.measure.outliers == kind)


def test_one_pair_needs_no_average_and_absent_values_are_blank():
    one = meta([campaign()], outliers="keep")
    lines = table_lines(render(one, "table"))
    assert lines[0].split() == ["rank", "pearson", "de-en"]
    assert "[" in lines[2]
    other = campaign("en-de", scores=(human(), metric("fair", 5.0, references=("refA", "refB"))))
    lines = render(meta([campaign(), other], outliers="keep", random_metrics=0, ci="none"), "table")
    last = lines.splitlines()[-2].split()
    assert (last[2], len(last)) == ("–", 4)


def test_rows_have_the_columns(table):
    document = make_document(table)
    rows = list(document.rows)
    assert all(list(row) == list(document.columns) for row in rows)
    assert len(rows) == 3 * (2 + 4)
    assert {row["metric"] for row in rows if row["rank"] is None} == {"random metric"}
    assert [row["lp"] for row in rows[:3]] == [None, None, "de-en"]
    for row in rows:
        for name, kind in document.columns.items():
            assert row[name] is None or isinstance(row[name], kind)


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "tsv", "csv", "md", "latex", "xlsx", "parquet"])
def test_every_form(table, form):
    assert len(render(table, form)) > 100


def test_latex_has_the_best_in_bold_and_outliers_below_their_language_pair(table):
    text = render(table, "latex")
    assert r"\multicolumn{2}{c}{" in text
    header = next(line for line in text.splitlines() if line.startswith("rank & "))
    assert " & all & $-$out." in header
    assert r"\textbf{" in text
    assert "Bold: best." in text
    assert r"\label{tab:pearson-correlation-with-people}" in text
    assert r"\caption{Pearson correlation with people (" in text


def test_json(table):
    tree = json.loads(render(table, "json"))
    assert tree["language_pairs"][0]["outliers"]["systems"] == ["far"]
    assert [each["metric"] for each in tree["metrics"]] == ["fair-refA", "good-refA"]
    assert tree["metrics"][0]["values"][0].keys() >= {
        "lp",
        "statistic",
        "outliers",
        "value",
        "n",
        "systems",
        "source",
    }
    assert tree["settings"]["statistics"] == "pearson"


def test_a_column_for_each_domain():
    plain = campaign(scores=(human("segment"), metric("good", 0.5, level="segment")))
    domains = ("news",) * 3 + ("chat",) * 3
    table = meta([replace(plain, testset=replace(plain.testset, domains=domains)), campaign("en-de")], by_domain=True)
    lines = table_lines(render(table, "table"))
    titles = (
        "rank pearson average without outliers average news without outliers news average chat without outliers chat"
    )
    assert " ".join(lines[0].split()) == (
        f"{titles} de-en without 1 outlier de-en news without 1 outlier de-en chat without 1 outlier "
        "en-de without 1 outlier"
    )
    header, *rows = render(table, "tsv").splitlines()
    column = header.split("\t").index("domain")
    assert {row.split("\t")[column] for row in rows} == {"", "news", "chat"}
    values = json.loads(render(table, "json"))["metrics"][0]["values"]
    assert {value["domain"] for value in values} <= {None, "news", "chat"}


def test_rankings_count_pairs_of_outputs():
    """Two outputs are one pair: the number of outputs was once called segment scores."""
    ranks = np.array([[1, 2, 0], [2, 1, 0], [0, 1, 1], [1, 2, 3]], dtype=np.int8)
    judged = Rankings("rr", ("a", "b", "c"), ("j",), np.zeros(4, np.int64), np.arange(4), ranks)
    scores = ScoreTable("m", "segment", ("a", "b", "c"), np.arange(12.0).reshape(3, 4))
    made = Campaign("wmt99", "de-en", 4, ("a", "b", "c"), (), None, (scores,), (judged,))
    table = meta([made], gold="rr", level="segment", outliers="keep", random_metrics=0)
    lines = table_lines(render(table, "table"))
    assert lines[1].split() == ["pairs", "of", "ranked", "outputs", "5"]  # one of six is a tie
    assert next(table.rows())["pairs"] is None
    assert [row["pairs"] for row in table.rows() if row["lp"]] == [5]


def test_metrics_that_never_had_an_outlier_are_named():
    """Less is dropped for them than for the others, so that they look robust."""
    lacking = metric("lacking", 1.0, systems=("a", "b", "c", "d", "e"))
    table = meta([campaign(scores=(human(), metric("good", 0.1), metric("fair", 1.0), lacking))], outliers="both")
    (pair,) = table.language_pairs
    assert pair.outliers.systems == ("far",)
    assert [row.missing_outliers(pair) for row in table] == [(), (), ("far",)]
    text = render(table, "table")
    assert "no scores of the outlier far: lacking-refA; do not compare the change without outliers" in text
    assert table.to_dict()["missing_outliers"] == {"lacking-refA": {"de-en": ["far"]}}


def test_a_paper_says_what_its_short_titles_mean(table):
    text = render(table, "latex")
    assert "$-$out.: without outliers." in text
    assert r"\rlap" not in text  # no tests, no marks


def test_a_paper_explains_only_titles_that_it_has():
    scores = (human(), metric("good", 0.1), metric("fair", 2.0))
    text = render(meta([campaign(scores=scores)], outliers="both", cutoff=1000), "latex")
    assert "out." not in text
