"""Tables of paraphrases are converted once, and damaged ones are refused or made again."""

from __future__ import annotations

import gzip

import pytest

from assay import _core
from assay.errors import EmptyInputError, InputError
from assay.files.resources import Resource
from assay.lexicons.paraphrases import open_paraphrases, open_table
from assay.types.runtime import Runtime


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    open_table.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def resource(tmp_path):
    return Resource("small", _written(tmp_path / "small.gz", b"0.5\nthe house\nhome\n0.1\nhome\nthe place\n"))


def _written(path, lines):
    path.write_bytes(gzip.compress(lines))
    return path


def test_words_have_numbers(resource):
    assert open_paraphrases(resource, Runtime()).numbers(["home", "is", "place", "the"]).tolist() == [2, -1, 3, 0]


def test_a_table_is_opened_once(resource):
    assert open_paraphrases(resource, Runtime()) is open_paraphrases(resource, Runtime(threads=1))


def test_a_file_is_converted_once_and_a_damaged_table_again(resource, cache):
    reports = []
    runtime = Runtime(progress=lambda task, done, total: reports.append((task, done == total)))
    for _ in range(2):
        open_paraphrases(resource, runtime)
        open_table.cache_clear()
    assert reports[-1] == ("converting small.gz", True)
    count = len(reports)
    (table,) = (path for path in (cache / "paraphrases-1").iterdir() if path.is_dir())
    for name in ("words", "paraphrases"):
        (table / name).write_bytes(b"")
        open_paraphrases(resource, runtime)
        open_table.cache_clear()
    assert len(reports) == 3 * count
    (table / "paraphrases").write_bytes(b"\xff" * (table / "paraphrases").stat().st_size)
    open_paraphrases(resource, runtime)
    assert len(reports) == 4 * count


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (gzip.compress(b"", mtime=0), EmptyInputError, "contains no paraphrases"),
        (gzip.compress(b"0.5\na\nb\n0.5\nc\n", mtime=0), InputError, "has 5 lines, not three for each entry"),
        (gzip.compress(b"0.5\na\nb\n", mtime=0)[:-9], InputError, "is damaged or not a gzip file"),
        (b"0.5\na\nb\n", InputError, "bad.gz: is damaged or not a gzip file"),
        (gzip.compress(b"0.5\na\nb\n", mtime=0)[:10] + b"\xff" * 9, InputError, "gzip file: it cannot be unpacked"),
        (gzip.compress(b"0.5\na\nb\n0.x\nc\nd\n", mtime=0), InputError, "bad.gz, line 4: '0.x' is not a probability"),
        (gzip.compress(b"0.5\na\nb\nnan\nc\nd", mtime=0), InputError, "line 4: 'nan' is not a probability"),
        (gzip.compress(b"0.5\na\nb\n0.1\n\xff\nd", mtime=0), InputError, "bad.gz, line 5: is not UTF-8"),
    ],
)
@pytest.mark.parametrize("piece", [1 << 20, 3])
def test_bad_files(tmp_path, monkeypatch, piece, content, error, message):
    monkeypatch.setattr("assay.lexicons.paraphrases._PIECE", piece)
    (tmp_path / "bad.gz").write_bytes(content)
    with pytest.raises(error, match=message):
        open_paraphrases(Resource("bad", tmp_path / "bad.gz"), Runtime())


def test_the_core_refuses_tables_that_do_not_fit_together():
    import numpy as np

    arrays = [np.array(values, dtype=np.uint32) for values in ([0, 1], [2, 2, 2], [0, 1, 1], [1])]
    _core.ParaphraseTable(*arrays)
    for i in range(4):
        damaged = [array[:-1] if k == i else array for k, array in enumerate(arrays)]
        with pytest.raises(ValueError, match="damaged"):
            _core.ParaphraseTable(*damaged)
