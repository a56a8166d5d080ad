from __future__ import annotations

import dataclasses
import io
import sys

import openpyxl
import pytest

from assay import AssayWarning, load, score
from assay.errors import ConfigError, MissingExtraError
from assay.reports import document as make_document
from assay.reports.xlsx import Xlsx, _sheet_names
from assay.results import Run


@pytest.fixture(scope="module")
def run():
    testset = load(outputs={"=1+1": ["a b c"], "mailto:x": [None]}, references=["a b c d"])
    with pytest.warns(AssayWarning, match="no segments of"):
        return score(testset, ["bleu:tok=intl", "chrf"], resamples=5, agg="corpus")


def test_a_sheet_for_each_metric_with_numbers_and_texts(run):
    data = Xlsx().render(make_document(run))
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert book.sheetnames == ["bleu tok=intl", "chrf"]
    header, first, second = ([cell.value for cell in row] for row in book["chrf"].iter_rows())
    assert header == [column.name for column in Run.file_columns()]
    assert [cell.data_type for cell in book["chrf"]["A"]] == ["s", "s", "s"]  # neither a formula nor a link
    assert book["chrf"]["A3"].hyperlink is None
    assert first[:4] == ["=1+1", "chrf", "corpus", None]
    assert first[4] == pytest.approx(68.862, abs=1e-3)
    assert second[4] is None
    assert second[10] == "no segment was scored"


def test_the_same_bytes_again(run):
    assert Xlsx().render(make_document(run)) == Xlsx().render(make_document(run))


def test_sheet_names():
    long = "bleu:tok=intl,smooth=floor,smooth_value=0.1"
    assert _sheet_names([long, long + "x", "a/b", "A B", "'"]) == [
        "bleu tok=intl,smooth=floor,smoo",
        "bleu tok=intl,smooth=floor,sm 2",
        "a b",
        "A B 2",
        "results",
    ]


def test_without_the_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtraError, match="XlsxWriter") as caught:
        Xlsx().render(make_document(run))
    assert caught.value.hint == 'pip install ".[xlsx]" in the folder of Assay'


def test_what_does_not_fit_is_refused(run, monkeypatch):
    monkeypatch.setattr("assay.reports.xlsx._MAX_ROWS", 1)
    with pytest.raises(ConfigError, match="2 rows do not fit into a sheet"):
        Xlsx().render(make_document(run))
    monkeypatch.undo()
    long = dataclasses.replace(run, specs={}, metrics={"long": dataclasses.replace(run["chrf"], spec="m" * 40_000)})
    with pytest.raises(ConfigError, match="too long for a cell"):
        Xlsx().render(make_document(long))
