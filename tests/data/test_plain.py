from __future__ import annotations

import gzip

import pytest

from assay.data.plain import read_column
from assay.errors import DecodeError, InputError


def read(tmp_path, raw, name="a.txt"):
    path = tmp_path / name
    path.write_bytes(raw)
    return read_column(path)


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"a\nb\n", ("a", "b")),
        (b"a\nb", ("a", "b")),
        (b"a\n\n", ("a", "")),
        (b"\n", ("",)),
        (b"", ()),
        ("a\u2028b\u0085c\x0bd\n".encode(), ("a\u2028b\u0085c\x0bd",)),
        (b"a\rb\n", ("a\rb",)),
        (b" a \n", (" a ",)),
    ],
)
def test_lines_end_at_line_feeds_only(tmp_path, raw, lines):
    assert read(tmp_path, raw) == (lines, [])


def test_carriage_returns_are_dropped_and_counted(tmp_path):
    lines, (note,) = read(tmp_path, b"a\r\nb\nc\r\n")
    assert lines == ("a", "b", "c")
    assert note.endswith("carriage returns were dropped at the end of 2 of 3 lines")


def test_a_byte_order_mark_is_dropped_and_noted(tmp_path):
    lines, (note,) = read(tmp_path, b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert lines == ("a", "\ufeffb")
    assert note.endswith("a byte order mark was dropped")


def test_gzip(tmp_path):
    raw = gzip.compress("ä\nb\n".encode())
    assert read(tmp_path, raw, "a.txt.gz")[0] == ("ä", "b")
    with pytest.raises(InputError, match="not a complete gzip file"):
        read(tmp_path, raw[:-6], "b.gz")
    with pytest.raises(InputError, match="not a complete gzip file"):
        read(tmp_path, b"plain", "c.gz")


def test_a_bad_byte_is_located(tmp_path):
    with pytest.raises(DecodeError) as caught:
        read(tmp_path, b"good\nb\xc3\xa4d \xff here\n")
    assert caught.value.line == 2
    assert "line 2: byte 6 of the line (0xFF) is not UTF-8" in caught.value.message


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_column(tmp_path / "absent")
    with pytest.raises(InputError, match="is a directory"):
        read_column(tmp_path)
