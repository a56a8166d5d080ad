from __future__ import annotations

import csv
import io

import pytest

from assay import load, score
from assay.reports import document as make_document
from assay.reports.csv import Csv, _cell


def test_it_reads_back():
    run = score(load(outputs={'a,"b"': ["a b"], "=1+1": ["b"]}, references=["a b"]), "chrf", resamples=0, agg="corpus")
    rows = list(csv.DictReader(io.StringIO(Csv().render(make_document(run)))))
    assert [row["system"] for row in rows] == ['a,"b"', "'=1+1"]
    assert [float(row["value"]) for row in rows] == [100.0, run["chrf"].corpus["=1+1"]]
    assert rows[0]["low"] == ""


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_formulas_are_marked_and_numbers_are_not(start):
    assert _cell(f"{start}SUM(A1)") == f"'{start}SUM(A1)"
    assert _cell(-1.5) == -1.5
    assert _cell(None) == ""
