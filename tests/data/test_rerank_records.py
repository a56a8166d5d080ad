from __future__ import annotations

import json

import pytest

from assay.data.rerank_records import is_record, read_record, record_path, written_record
from assay.types import ChosenBy

BY = ChosenBy("ensemble", ("chrf", "ter"), ("words in common",), "metric:ensemble")


@pytest.fixture
def output(tmp_path):
    path = tmp_path / "new.en"
    path.write_text("a\nb\n")
    record_path(path).write_bytes(written_record(b"a\nb\n", BY, "mbr"))
    return path


def test_what_is_written_is_read(output):
    record, notes = read_record(output)
    assert notes == []
    assert (record.metric, record.parts, record.families) == (BY.metric, BY.parts, BY.families)
    assert record.signature == BY.signature
    assert record.origin.endswith("new.en.rerank.json")


def test_no_record(tmp_path):
    assert read_record(tmp_path / "new.en") == (None, [])


def test_a_changed_text(output):
    output.write_text("a\nc\n")
    record, (note,) = read_record(output)
    assert record is None
    assert "is of another text: the output changed after it was chosen" in str(note)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("made_by", "another program"),
        ("metric", None),
        ("signature", 1),
        ("digest", []),
        ("parts", "chrf"),
        ("families", [1]),
    ],
)
def test_a_file_that_is_not_a_record(output, key, value):
    path = record_path(output)
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    record, (note,) = read_record(output)
    assert record is None
    assert "is not a record of assay rerank" in str(note)


def test_only_a_record_may_be_replaced():
    assert is_record(written_record(b"", BY, "score"))
    assert not is_record(b"{}")
    assert not is_record(b"[]")
    assert not is_record(b"my notes")
