from __future__ import annotations

import errno
import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from assay import _core
from assay.data import text_files
from assay.data.text_files import (
    digest_of,
    digest_of_bytes,
    explaining_cut_off_files,
    is_cut_off,
    is_pipe,
    read_bytes,
    read_column,
    read_lines,
    reading_once,
    shown_path,
)
from assay.errors import DecodeError, InputError


def read(tmp_path, raw, name="a.txt"):
    path = tmp_path / name
    path.write_bytes(raw)
    return agreeing(path)


def agreeing(path, **options):
    """What `read_lines` gives; `read_column` gives the same, also for a file that is read in pieces."""
    lines, notes = read_lines(path, **options)
    for large_file in (1 << 40, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text_files, "_LARGE_FILE", large_file)
            column, column_notes = read_column(path, **options)
        assert (column, column_notes) == (lines, notes)
        assert column.is_utf8
    return lines, notes


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
    assert note.text.endswith("removed carriage returns at the end of 2 of 3 lines")


@pytest.mark.parametrize("name", ["a.csv", "a.CSV"])
def test_carriage_returns_of_csv_are_its_standard(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"a,b\r\n1,2\r\n")
    assert read_lines(path) == (("a,b", "1,2"), [])


def test_a_byte_order_mark_is_dropped_and_noted(tmp_path):
    lines, (note,) = read(tmp_path, b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert lines == ("a", "\ufeffb")
    assert note.text.endswith("removed a byte order mark")


def test_gzip(tmp_path):
    raw = gzip.compress("ä\nb\n".encode())
    assert read(tmp_path, raw, "a.txt.gz")[0] == ("ä", "b")
    assert read(tmp_path, raw + gzip.compress(b"c", mtime=0), "a.txt.gz")[0] == ("ä", "b", "c")
    assert read(tmp_path, b"", "empty.gz")[0] == ()


PACKED = gzip.compress(b"a", mtime=0)  # the same bytes in every process of a parallel run


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (PACKED[:-6], "not a complete gzip file: the compressed data is truncated"),
        (PACKED + b"more", "not a complete gzip file: unexpected data after its end"),
        (PACKED[:-8] + bytes(8), "not a complete gzip file: the compressed data is corrupt"),
        (PACKED[:10] + b"\xff" * 20, "not a complete gzip file: the compressed data is corrupt"),
        (b"plain", "not gzip-compressed, although its name ends in .gz"),
    ],
)
def test_files_that_are_not_what_gzip_writes(tmp_path, raw, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, raw, "a.gz")
    assert caught.value.message == f"{tmp_path}/a.gz: {message}"
    assert caught.value.hint


def test_a_bad_byte_is_located(tmp_path):
    with pytest.raises(DecodeError) as caught:
        read(tmp_path, b"good\nb\xc3\xa4d \xff here\n")
    assert caught.value.line == 2
    assert "line 2: byte 6 of the line (0xFF) is not UTF-8" in caught.value.message


@pytest.mark.parametrize(
    ("raw", "line", "message"),
    [
        (b"ab\ncd\xc3", 2, "byte 3 of the line (0xC3) is not UTF-8: the file ends in the middle of a character"),
        (b"ab\n\xed\xa0\x80\n", 2, "byte 1 of the line (0xED) is not UTF-8: it starts a lone surrogate"),
        (b"ab\nc\0\n", 2, "byte 2 of the line is NUL, which is not text (NUL bytes in the file: 1)"),
        (bytes(2000), 1, "byte 1 of the line is NUL, which is not text (NUL bytes in the file: 2,000)"),
        ("ab\n".encode("utf-16"), None, "looks like UTF-16, not UTF-8"),
        ("ab\n".encode("utf-16-be"), None, "looks like UTF-16BE, not UTF-8"),
        ("ё ж\n".encode("utf-16-le"), None, "looks like UTF-16LE, not UTF-8"),
        ("ab\n".encode("utf-32"), None, "looks like UTF-32, not UTF-8"),
        ("猫ab\n".encode("utf-32-le"), None, "looks like UTF-32LE, not UTF-8"),
        (PACKED, None, "looks like gzip-compressed data, not text"),
        (b"PK\x03\x04\xff", None, "looks like a zip archive, not text"),
        (b"\x01\x02\x03\xff", None, "looks like binary data, not text"),
    ],
)
def test_what_is_not_text_is_named(tmp_path, raw, line, message):
    with pytest.raises(DecodeError) as caught:
        read(tmp_path, raw)
    place = f"{tmp_path}/a.txt" if line is None else f"{tmp_path}/a.txt, line {line}"
    assert caught.value.message == f"{place}: {message}"
    assert caught.value.line == line


def test_the_command_that_helps_can_be_copied(tmp_path):
    with pytest.raises(DecodeError) as caught:
        read(tmp_path, b"\xff\xfea\0", "it's.txt")
    quoted = f"""'{tmp_path}/it'"'"'s.txt'"""
    assert caught.value.hint == f"convert it: iconv -f UTF-16 -t UTF-8 < {quoted} > NEW-FILE"


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfa\n")))
    lines, (note,) = read_lines("-")
    assert (lines, str(note)) == (("a",), "standard input: removed a byte order mark")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: closed"):
        read_lines("-")


def test_too_little_memory(tmp_path, monkeypatch):
    def fail(_path):
        raise MemoryError

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(InputError, match=r"a\.txt: too large for the available memory"):
        read_lines("a.txt")


def test_shown_paths_are_one_safe_line():
    assert shown_path("a b/ä.txt") == "a b/ä.txt"
    assert shown_path("a\nb\x1b\udcff\u202e.txt") == r"a\nb\x1b\udcff\u202e.txt"
    assert shown_path("-") == "standard input"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_lines(tmp_path / "absent")
    with pytest.raises(InputError, match="is a directory") as caught:
        read_lines(tmp_path)
    assert caught.value.hint == f"give the files in the folder: {tmp_path}/*"
    with pytest.raises(InputError, match="embedded null byte"):
        read_lines("a\0b")
    with pytest.raises(InputError, match="empty file name"):
        read_lines("")


def test_little_that_becomes_very_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.data.text_files._FREE_BYTES", 1000)
    with pytest.raises(InputError, match="unpacks to more than 200 times its size") as caught:
        read(tmp_path, gzip.compress(bytes(1_000_000)), "a.gz")
    assert caught.value.hint == f"if you trust the file, unpack it yourself: gunzip -c < {tmp_path}/a.gz > NEW-FILE"
    assert read(tmp_path, gzip.compress(b"x" * 900), "a.gz")[0] == ("x" * 900,)


def test_streams_of_any_size_one_after_the_other(tmp_path):
    texts = [b"", b"a\n", bytes(range(1, 10)) * 300_000, b"b"]
    path = tmp_path / "a.gz"
    path.write_bytes(b"".join(map(gzip.compress, texts)) + bytes(512))
    assert read_bytes(path) == b"".join(texts)


def test_a_pipe_is_read_once_and_regular_files_are_followed(tmp_path):
    read_end, write_end = os.pipe()
    os.write(write_end, b"abc")
    os.close(write_end)
    pipe, plain = f"/dev/fd/{read_end}", tmp_path / "x"
    plain.write_bytes(b"one")
    try:
        with reading_once():
            assert read_bytes(pipe) == b"abc"
            assert read_bytes(plain) == b"one"
            plain.write_bytes(b"second")
            assert read_bytes(plain) == b"second"
            with reading_once():
                assert (read_bytes(pipe), digest_of(pipe)) == (b"abc", digest_of_bytes(b"abc"))
        assert read_bytes(pipe) == b""
        paths = (pipe, "-", plain, tmp_path, "no such file", "a\0")
        assert [is_pipe(path) for path in paths] == [True, True, False, False, False, False]
    finally:
        os.close(read_end)


def test_an_error_in_an_unfinished_last_line_says_that_the_file_may_be_cut_off(tmp_path):
    path = tmp_path / "cut.jsonl"
    path.write_text('{"a": 1}\n{"a"', encoding="utf-8")
    for line, hint in ((1, None), (2, "no line end follows: was the file cut off?")):
        with pytest.raises(InputError) as caught, explaining_cut_off_files():
            raise InputError("invalid", path=str(path), line=line)
        assert caught.value.hint == hint
    path.write_text('{"a": 1}\n{"a"\n', encoding="utf-8")
    assert not is_cut_off(str(path), 2)
    assert not is_cut_off(str(tmp_path / "absent"), 2)


@pytest.mark.parametrize("large_file", [1 << 40, 1])
@pytest.mark.parametrize(
    "raw",
    [
        b"a\nb\xff\n",
        b"a\nb\xc3",
        b"a\n\xed\xa0\x80\n",
        b"\xef\xbb\xbfa\n\x80",
        b"a\nb\0c\n",
        "a\nb\n".encode("utf-16"),
        gzip.compress(b"a\n", mtime=0),
        b"PK\x03\x04\xff",
    ],
)
def test_what_is_not_text_is_refused_in_the_same_words(tmp_path, raw, large_file, monkeypatch):
    monkeypatch.setattr(text_files, "_LARGE_FILE", large_file)
    path = tmp_path / "a.txt"
    path.write_bytes(raw)
    with pytest.raises(DecodeError) as expected:
        read_lines(path)
    with pytest.raises(DecodeError) as found:
        read_column(path)
    assert str(found.value) == str(expected.value)
    assert (found.value.path, found.value.line, found.value.hint) == (
        expected.value.path,
        expected.value.line,
        expected.value.hint,
    )


@pytest.mark.parametrize("name", ["absent", "", "a\0b", "."])
def test_files_that_cannot_be_read_are_refused_in_the_same_words(name):
    with pytest.raises(InputError) as expected:
        read_lines(name)
    with pytest.raises(InputError) as found:
        read_column(name)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "raw", [b"\r\n", b"\r", b"a\r", b"a\r\nb", b"a\nb\r", b"a\r\r\nb\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\na"]
)
@pytest.mark.parametrize("keep_mark", [False, True])
def test_columns_have_the_lines_of_the_file(tmp_path, raw, keep_mark):
    path = tmp_path / "a.txt"
    path.write_bytes(raw)
    agreeing(path, keep_mark=keep_mark)
    compressed = tmp_path / "a.txt.gz"
    compressed.write_bytes(gzip.compress(raw))
    agreeing(compressed, keep_mark=keep_mark)


def test_a_large_file_outlives_its_name(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "_LARGE_FILE", 1)
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_bytes(b"a\nb\n" * 10_000)
    other.write_bytes(b"c\n")
    column, _ = read_column(path)
    other.replace(path)
    assert column[-1] == "b"
    path.unlink()
    assert list(column[2:4]) == ["a", "b"]


def cut(path):
    os.truncate(path, 10)


def extend(path):
    with path.open("ab") as file:
        file.write(b"a\n")


def rewrite(path):
    with path.open("r+b") as file:
        file.write(b"\xff\xff")
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))  # clocks tick too rarely for a test


@pytest.mark.parametrize("change", [cut, extend, rewrite])
@pytest.mark.parametrize(
    "use",
    [
        lambda column: column[0],
        list,
        lambda column: column[5:9] == column[7:11],
        lambda column: column.take(np.array([3])),
        _core.blank_lines,
        _core.lower,
        lambda column: _core.equal_lines(column, column),
        lambda column: _core.bleu_statistics((column,), (column,), "13a", 4, "closest", 1),
    ],
)
def test_a_large_file_that_changes_is_refused(tmp_path, monkeypatch, change, use):
    monkeypatch.setattr(text_files, "_LARGE_FILE", 1)
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b\n" * 10_000)
    column, _ = read_column(path)
    use(column)
    change(path)
    with pytest.raises(InputError) as caught:
        use(column)
    assert caught.value.message == f"{path}: the file changed while it was read"
    assert caught.value.hint == "wait until the program that writes it has finished, and start again"


def test_a_large_file_that_changes_while_its_lines_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "_LARGE_FILE", 1)
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b\n" * 1_000_000)
    reads, pread = [], os.pread

    def cutting(*arguments):
        reads.append(pread(*arguments))
        if len(reads) == 3:
            cut(path)
        return reads[-1]

    monkeypatch.setattr(os, "pread", cutting)
    with pytest.raises(InputError, match="the file changed while it was read"):
        read_column(path)
    assert len(reads) == 3


_CUTTING = """
import os, sys
from assay.cli import main
from assay.data import text_files
text_files._LARGE_FILE, pread, reads = 1, os.pread, []
def cutting(*arguments):
    reads.append(pread(*arguments))
    if len(reads) == {reads}:
        os.truncate({path!r}, 10_000)
    return reads[-1]
os.pread = cutting
sys.argv = ["assay", "score", "--ref", {path!r}, {path!r}]
main()
"""


@pytest.mark.parametrize("reads", [1, 2, 5, 9])
def test_a_file_that_is_cut_off_while_it_is_scored(tmp_path, reads):
    """In a process of its own, which would be killed if the file was mapped."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b c d e f\n" * 20_000)
    program = _CUTTING.format(reads=reads, path=str(path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"error: {path}: the file changed while it was read\nhint: wait until" in done.stderr


@pytest.mark.parametrize("large_file", [1 << 40, 1])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent", "no such file or directory"),
        ("folder", "is a directory"),
        ("loop", "too many levels of symbolic links"),
        ("locked", "permission denied"),
    ],
)
def test_columns_of_files_that_cannot_be_opened(tmp_path, monkeypatch, name, message, large_file):
    monkeypatch.setattr(text_files, "_LARGE_FILE", large_file)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "locked").write_bytes(b"a\n")
    if name == "locked":  # root may read everything

        def refuse(*_arguments):
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
        monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError) as caught:
        read_column(tmp_path / name)
    assert caught.value.message == f"{tmp_path / name}: {message}"


@pytest.mark.parametrize("large_file", [1 << 40, 1])
@pytest.mark.parametrize("raw", ["ä\r\nb\n".encode(), b"", b"\n\n", b"a\nb\xff\n", b"a\0"])
def test_columns_of_pipes(tmp_path, monkeypatch, raw, large_file):
    """Named pipes, standard input and its path give the lines of a file, or its error, although they are read once."""
    monkeypatch.setattr(text_files, "_LARGE_FILE", large_file)
    path, pipe = tmp_path / "a.txt", tmp_path / "pipe"
    path.write_bytes(raw)
    os.mkfifo(pipe)
    expected = outcome(path)
    writer = threading.Thread(target=pipe.write_bytes, args=(raw,))
    writer.start()
    found = outcome(pipe)
    writer.join()
    read_end, write_end = os.pipe()
    os.write(write_end, raw)
    os.close(write_end)
    standard_input = outcome(f"/dev/fd/{read_end}")
    os.close(read_end)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert found == standard_input == outcome("-") == expected


def outcome(path):
    """Lines and notes, or the error, without the name of the file."""
    try:
        column, notes = read_column(path)
    except InputError as error:
        return error.message.replace(shown_path(path), "FILE")
    return tuple(column), [note.text for note in notes]


@pytest.mark.slow
def test_a_line_of_a_hundred_megabytes(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n" + "ä".encode() * (50 << 20) + b"\nb")
    column, _ = read_column(path)
    assert _core.lengths(column).tolist() == [1, 50 << 20, 1]
    assert (column[0], column[2]) == ("a", "b")
    assert _core.blank_lines(column) == []
