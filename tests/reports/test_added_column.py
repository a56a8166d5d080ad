"""A column that a result declares is in every form without another edit, also where values stand side by side."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

import pytest

from assay import AssayWarning, compare, load
from assay.reports import document, renderer
from assay.results import SystemComparison
from assay.results.columns import ResultColumn, Shown, Unit
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign
from tests.contributing import example_module
from tests.store.examples import VERBS, example

MISSED = ResultColumn(
    "missed",
    float,
    lambda record: 1 - record["estimate"].value,
    label="missed",
    unit=Unit.RATE,
    help="How far a value is from the highest.",
    shown=Shown.FILE | Shown.TABLE | Shown.PAPER,
)


def with_column(result, column):
    """The result, as if its type declared one more column."""
    kind = type(result)

    @dataclasses.dataclass(frozen=True, slots=True, repr=False, eq=False)
    class Extended(kind):
        columns = (*kind.columns, column)

    return Extended(**{each.name: getattr(result, each.name) for each in dataclasses.fields(result)})


@pytest.fixture(scope="module")
def relative(tmp_path_factory):
    return example_module('"relative"', tmp_path_factory.mktemp("column")).RELATIVE


@pytest.fixture(scope="module")
def comparison(relative):
    return with_column(example("compare"), relative)


@pytest.fixture(scope="module")
def evaluation():
    return with_column(meta([campaign(), campaign("en-de")], sig="perm-systems:resamples=20"), MISSED)


def written(result, form):
    details = {"details": True} if isinstance(result, SystemComparison) else {}
    return renderer.create(form).render(document(result, **details))


def expected(comparison):
    return [record.pair.difference.value / record.second_score for record in comparison.records()]


def test_json_and_json_lines(comparison):
    rows = json.loads(written(comparison, "json"))["rows"]
    assert [row["relative"] for row in rows] == expected(comparison)
    lines = [json.loads(line) for line in written(comparison, "jsonl").splitlines()]
    assert [row["relative"] for row in lines] == expected(comparison)


@pytest.mark.parametrize(("form", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_separated_values(comparison, form, separator):
    rows = csv.DictReader(io.StringIO(written(comparison, form)), delimiter=separator)
    assert [float(row["relative"]) for row in rows] == expected(comparison)


def test_parquet_and_workbook(comparison):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(written(comparison, "parquet")))
    assert table["relative"].to_pylist() == expected(comparison)
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(written(comparison, "xlsx")))
    header, *rows = book.worksheets[0].values
    assert [row[header.index("relative")] for row in rows] == pytest.approx(expected(comparison))


@pytest.mark.parametrize("form", ["table", "md", "latex", pytest.param("html", marks=pytest.mark.slow)])
def test_forms_for_people(comparison, form):
    text = written(comparison, form).replace("\\", "")
    assert "relative, %" in text
    plain = text.replace("$-$", "-").replace("−", "-")
    assert all(f"{100 * share:+.1f}" in plain for share in expected(comparison))
    assert "relative, %" not in written(example("compare"), form)


def test_an_undefined_value_has_its_reason(relative):
    texts = {"new": ["a b c d e"], "base": ["v w x y z"]}
    with pytest.warns(AssayWarning):
        found = compare(load(outputs=texts, references=["a b c d e"]), "bleu", baseline="base", resamples=20)
    zero = with_column(found, relative)
    assert next(zero.rows())["relative"] is None
    grid = document(zero, details=True).sections[0].grids[0]
    (column,) = (k for k, each in enumerate(grid.columns) if each.name == "relative")
    assert grid.rows[0][column].reason == "base scores 0"


@pytest.mark.parametrize("form", ["table", "md", "latex"])
def test_beside_each_value_of_a_table_of_metrics(evaluation, form):
    text = written(evaluation, form)
    values = [record["estimate"].value for record in evaluation.records()]
    assert text.count("missed") >= 3  # on each of two language pairs, and in the average
    assert all(f"{1 - value:.3f}" in text for value in values if value == value)


def test_beside_each_value_in_files(evaluation):
    rows = json.loads(written(evaluation, "json"))["rows"]
    assert [row["missed"] for row in rows] == pytest.approx([1 - row["value"] for row in rows])


LISTED = {
    *("compare", "match", "check", "decisions", "agree", "reproduce", "meta", "meta segments"),
    *("rank ratings", "rank errors", "rank rankings", "rank pairs"),
}
MARKED = ResultColumn("marked", read=lambda record: "marked!", shown=Shown.FILE | Shown.TABLE)


@pytest.mark.parametrize("name", VERBS)
def test_tables_list_a_declared_column_or_refuse_it(name):
    """No form leaves it out in silence: where each row is not a record, there is no place for it."""
    result = with_column(example(name), MARKED)
    if name in LISTED:
        assert "marked!" in written(result, "md")
    else:
        with pytest.raises(ValueError, match="column 'marked': no table lists the columns of this result"):
            document(result)
    files = dataclasses.replace(MARKED, shown=Shown.FILE)
    assert "marked!" in renderer.create("tsv").render(document(with_column(example(name), files)))


def test_a_column_of_papers_needs_a_paper_that_lists_it():
    paper = dataclasses.replace(MARKED, shown=Shown.PAPER)
    assert "marked!" in renderer.create("latex").render(document(with_column(example("rank ratings"), paper)))
    with pytest.raises(ValueError, match=r"leave out Shown\.PAPER"):
        document(with_column(example("check"), paper))
