from __future__ import annotations

import io
import sys

import pyarrow.parquet
import pytest

from assay import load, score
from assay.errors import MissingExtraError
from assay.reports import document as make_document
from assay.reports.parquet import Parquet


@pytest.fixture(scope="module")
def document():
    testset = load(outputs={"ü": ["a b"], "y": ["a"]}, references=["a b"])
    return make_document(score(testset, ["bleu", "chrf"], resamples=0), segments=True)


def test_it_reads_back_with_types(document):
    table = pyarrow.parquet.read_table(io.BytesIO(Parquet().render(document)))
    assert table.to_pylist() == list(document.rows)
    assert [str(kind) for kind in table.schema.types] == [*["string"] * 4, *["double"] * 5, "int64", "string", "string"]


def test_without_the_extra(document, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match="pyarrow") as caught:
        Parquet().render(document)
    assert caught.value.hint == 'pip install ".[io]" in the folder of Assay'
