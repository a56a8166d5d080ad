"""Files and standard input become columns of one length, or are refused with their names and lengths."""

from __future__ import annotations

import gzip
import io
import sys

import pytest

from assay.compat.sacrebleu.inputs import read_inputs
from assay.errors import AlignmentError, DecodeError, EmptyInputError, InputError, NameClashError


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Write files, put the bytes called `-` on standard input, and read: texts of references and of systems."""
    monkeypatch.chdir(tmp_path)

    def call(files, references, systems, encoding="utf-8", num_refs=1):
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(files.get("-", b""))))
        return read_inputs(references, systems, encoding=encoding, num_refs=num_refs)

    return call


def texts(columns):
    return {column.name: column.texts for column in columns}


def test_files(read):
    inputs = read({"r": b"a \r\nb\t\n", "s": b"c\nd\xe2\x80\xa8", "t": b"\n\n"}, ["r", "r"], ["s", "t"])
    assert [column.texts for column in inputs.references] == [["a", "b"]] * 2
    assert texts(inputs.systems) == {"s": ["c", "d"], "t": ["", ""]}
    assert [*map(str, inputs.notes)] == ["r: removed carriage returns at the end of 1 of 2 lines"] * 2


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig", "utf-16", "utf-32-le", "gb18030"])
def test_encodings(read, encoding):
    lines = "中文\u2028 x \n\ry\n"
    raw = lines.encode(encoding)
    inputs = read({"r": raw, "s.gz": gzip.compress(raw, mtime=0), "-": raw}, ["r", "s.gz"], None, encoding)
    assert [c.texts for c in (*inputs.references, *inputs.systems)] == [["中文\u2028 x", "\ry"]] * 3


def test_a_byte_order_mark_is_dropped_and_noted(read):
    inputs = read({"r": b"\xef\xbb\xbfa\n"}, ["r"], ["r"])
    assert texts(inputs.systems) == {"r": ["a"]}
    assert [*map(str, inputs.notes)] == ["r: removed a byte order mark"] * 2


def test_references_in_one_file(read):
    inputs = read({"r": b"a \tb\tc\n\td\n", "s": b"x\ny\n"}, ["r"], ["s"], num_refs=2)
    assert texts(inputs.references) == {"r, column 1": ["a ", ""], "r, column 2": ["b\tc", "d"]}


def test_systems_in_one_stream(read):
    inputs = read({"r": b"a\nb\n", "-": b"c \td\t\ne \tf\n"}, ["r"], None)
    assert texts(inputs.systems) == {"System 1": ["c ", "e"], "System 2": ["d", "f"]}


@pytest.mark.parametrize(
    ("files", "systems", "options", "error", "message"),
    [
        ({}, ["s"], {}, InputError, "r: no such file or directory"),
        ({}, ["s"], {"encoding": "latin-1"}, InputError, "r: no such file or directory"),
        ({"r": b"a\n", "s": b"a\nb\n"}, ["s"], {}, AlignmentError, "s has 2 segments, r has 1\n"),
        ({"r": b"a\n", "-": b"a\nb\n"}, None, {}, AlignmentError, "System 1 has 2 segments, r has 1\n"),
        ({"r": b"", "s": b""}, ["s"], {}, EmptyInputError, "r: the file is empty"),
        ({"r": b"a\n", "s": b""}, ["s"], {"encoding": "latin-1"}, EmptyInputError, "s: the file is empty"),
        ({"r": b"a\n", "-": b""}, None, {}, EmptyInputError, "standard input: no text"),
        ({"r": b"a\n", "s": b"a\n"}, ["s", "s"], {}, NameClashError, "two systems are called 's'"),
        (
            {"r": b"a\tb\nc\n", "s": b"a\n"},
            ["s"],
            {"num_refs": 2},
            AlignmentError,
            "r, line 2: expected 2 tab-separated ref",
        ),
        (
            {"r": b"a\n", "-": b"a\tb\nc\t\n"},
            None,
            {},
            AlignmentError,
            "standard input, line 2: expected 2 tab-separated sys",
        ),
        ({"r": b"a\n\xff\n"}, ["s"], {}, DecodeError, "r, line 2: byte 1 of the line"),
        ({"r": b"\x81\n"}, ["s"], {"encoding": "cp1252"}, DecodeError, "r: not valid cp1252: "),
        ({"r": b"abc"}, ["s"], {"encoding": "utf-16"}, DecodeError, "r: not valid utf-16: "),
    ],
)
def test_errors(read, files, systems, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        read(files, ["r"], systems, **options)


@pytest.mark.parametrize(
    "damaged", [b"abc", gzip.compress(b"a\n" * 99, mtime=0)[:-9], gzip.compress(b"abc", mtime=0)[:12] + b"\xff" * 20]
)
def test_damaged_gzip(read, damaged):
    for encoding in ("utf-8", "latin-1"):
        with pytest.raises(InputError, match=r"^r\.gz: "):
            read({"r.gz": damaged}, ["r.gz"], ["r.gz"], encoding)
