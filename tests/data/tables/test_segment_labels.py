from __future__ import annotations

import gzip

import pytest

from assay.data.tables.segment_labels import read_segment_labels
from assay.errors import AlignmentError, AssayError, InputError


@pytest.fixture
def read(tmp_path):
    def read(text, segments, name="topics.txt"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        columns, notes = read_segment_labels(tmp_path / name, segments)
        return columns, [str(note.kind) for note in notes]

    return read


def test_one_value_per_line(read):
    assert read("news\n\nchat\n", 3) == ({"topics": ("news", None, "chat")}, [])
    assert read("news\r\nchat\r\n", 2) == ({"topics": ("news", "chat")}, ["changed"])


def test_a_table(read):
    columns, _ = read("topic\tsize\nnews\t3\n\t4\n", 2)
    assert columns == {"topic": ("news", None), "size": ("3", "4")}


def test_a_table_with_one_column_has_the_suffix(read, tmp_path):
    assert read("topic\nnews\nchat\n", 2, "x.tsv")[0] == {"topic": ("news", "chat")}
    (tmp_path / "x.tsv.gz").write_bytes(gzip.compress(b"topic\nnews\n"))
    assert read_segment_labels(tmp_path / "x.tsv.gz", 1)[0] == {"topic": ("news",)}


def test_quotation_marks_of_a_spreadsheet(read):
    assert read('topic\tnote\n"a, b"\tc\n', 1) == ({"topic": ("a, b",), "note": ("c",)}, ["changed"])


def test_a_line_too_many_is_no_header(read):
    """Otherwise every label would belong to the next segment."""
    with pytest.raises(AlignmentError, match="3 lines for 2 segments") as caught:
        read("a\nb\nc\n", 2)
    assert ".tsv" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n1\t2\n", "1 row for 2 segments"),
        ("1\t2\n3\t4\n", "1 row for 2 segments"),
        ("a\tb\n1\t2\n3\n", "1 field, but the header has 2"),
        ("a\ta\n1\t2\n3\t4\n", "two columns are called 'a'"),
        ("a\t\n1\t2\n3\t4\n", "a column has no name"),
        ("a:b\tc\n1\t2\n3\t4\n", "cannot contain a colon"),
        ("", "0 lines for 2 segments"),
    ],
)
def test_faulty_files_are_named(read, text, message):
    with pytest.raises(InputError, match=message) as caught:
        read(text, 2)
    assert caught.value.path.endswith("topics.txt")


def test_an_empty_table(read):
    with pytest.raises(AssayError, match="0 rows for 1 segment"):
        read("", 1, "x.tsv")
