"""Results on disk."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from assay.files import cache_file
from assay.neural.cache import ResultCache, open_cache
from assay.types.runtime import Runtime


@pytest.fixture
def warned(tmp_path):
    """A runtime with a cache, and the warnings that it was given."""
    warnings = []
    return Runtime(cache=tmp_path, on_warning=warnings.append), warnings


def test_without_a_folder_there_is_no_cache():
    with open_cache(Runtime(), "x") as cache:
        assert cache is None


def test_many_results_of_any_shape_are_found_again(tmp_path):
    results = {(i, i + 1): np.full((2, 3) if i % 2 else (5,), i, dtype=np.float32) for i in range(1200)}
    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        cache.add(results)
        cache.add({(0, 1): np.zeros((2, 3), dtype=np.float32)})
    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        found = cache.find([*results, (5,)])
        assert found.keys() == results.keys()
        assert all(np.array_equal(found[ids], results[ids]) for ids in results)
    with open_cache(Runtime(cache=tmp_path), "other") as cache:
        assert cache.find(list(results)) == {}


def test_a_folder_may_be_a_text(tmp_path):
    with open_cache(Runtime(cache=str(tmp_path)), "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    assert [path.name for path in tmp_path.rglob("*.sqlite")] == ["one.sqlite"]


def test_an_identity_with_slashes_is_a_file_name(tmp_path):
    with open_cache(Runtime(cache=tmp_path), "../models/a b") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    assert [path.name for path in tmp_path.rglob("*.sqlite")] == [".._models_a_b.sqlite"]


def test_an_interrupted_batch_leaves_nothing(tmp_path):
    """After the first row is written."""

    class Interrupted:
        def __conform__(self, _protocol):
            raise KeyboardInterrupt

    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        rows = [(b"1", "[0]", b"", 0), (b"2", "[0]", Interrupted(), 0)]
        with pytest.raises(KeyboardInterrupt):
            cache._write(cache._database.executemany, "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", rows)
        assert cache._database.execute("SELECT * FROM results").fetchall() == []


def test_a_large_file_does_not_grow(warned, monkeypatch):
    monkeypatch.setattr(cache_file, "_MAX_FILE_BYTES", 10)
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
        assert cache.find([(1,)]) == {}
    assert len(warnings) == 1
    assert "the cache cannot be written: it is larger than 0 GB; results are not cached" in warnings[0]
    assert "delete it" in warnings[0]


def test_a_full_disk_does_not_end_a_run(warned):
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache._database.execute("PRAGMA max_page_count = 5")
        cache.add({(1,): np.zeros(100_000, dtype=np.float32)})
        assert cache.find([(1,)]) == {}
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        assert cache.find([(2,)]) == {}
    assert len(warnings) == 1
    assert "one.sqlite: the cache cannot be written: database or disk is full; results are not cached" in warnings[0]


def test_a_file_that_is_deleted_in_mid_run_does_not_end_it(warned):
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
        shutil.rmtree(runtime.cache)
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        cache.add_plan([(1,)], 4, [[(1,)]])
        assert cache.find([(2,)]) == {}
    assert len(warnings) == 1


def test_a_file_that_cannot_be_written_is_read(warned):
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    with open_cache(runtime, "one") as cache:
        cache._database.execute("PRAGMA query_only = yes")
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        cache.add_plan([(2,)], 4, [[(2,)]])
        assert cache.find([(1,), (2,)]).keys() == {(1,)}
    assert len(warnings) == 1


def test_a_disk_without_space_for_a_table(warned, monkeypatch):
    monkeypatch.setattr(ResultCache, "tables", ("PRAGMA query_only = yes", *ResultCache.tables))
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        assert cache.find([(1,)]) == {}
        assert cache.find_plan([(1,)], 4) == []
    assert len(warnings) == 1


def test_a_folder_that_cannot_be_made(warned, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        assert cache is None
    assert "the cache cannot be written: permission denied" in warnings[0]


def test_a_file_instead_of_a_folder(warned):
    runtime, warnings = warned
    (runtime.cache / "file").touch()
    with open_cache(replace(runtime, cache=runtime.cache / "file"), "one") as cache:
        assert cache is None
    assert "not a directory" in warnings[0]


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\x00" + b"?" * 5000])
def test_a_damaged_file_does_not_end_a_run(warned, content):
    runtime, warnings = warned
    with open_cache(runtime, "one"):
        pass
    (file,) = runtime.cache.rglob("*.sqlite")
    file.write_bytes(content)
    with open_cache(runtime, "one") as cache:
        assert cache.find([(1,)]) == {}
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        assert cache.find([(2,)]) == {}
    (warning,) = warnings
    assert "the cache cannot be read: it is damaged (" in warning
    assert warning.endswith("to start a new one, delete it")


def test_other_errors_are_not_those_of_the_cache(tmp_path):
    with pytest.raises(ValueError, match="of the model"), open_cache(Runtime(cache=tmp_path), "one"):
        raise ValueError("of the model")


@pytest.mark.parametrize("numbers", ["x'0000'", "x'0000000000000001'", "'text'"])
def test_numbers_that_were_changed_are_not_used(warned, numbers):
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add({(1, 2): np.zeros(2, dtype=np.float32)})
        cache._database.execute(f"UPDATE results SET numbers = {numbers}")  # noqa: S608
        assert cache.find([(1, 2)]) == {}
    assert len(warnings) == 1
    assert "the cache cannot be read: it is damaged (" in warnings[0]


def test_numbers_that_are_not_finite_are_computed_again(tmp_path):
    results = {(1,): np.array([1, np.nan], dtype=np.float32), (2,): np.ones(2, dtype=np.float32)}
    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        assert cache.add(results).keys() == results.keys()
        assert cache.find(list(results)).keys() == {(2,)}


def test_plans(tmp_path):
    inputs = [(1, 2), (3, 4), (5,)]
    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        assert cache.find_plan(inputs, 4) == []
        cache.add_plan(inputs, 4, [[(5,)], [(1, 2), (3, 4)]])
    with open_cache(Runtime(cache=tmp_path), "one") as cache:
        assert cache.find_plan(inputs, 4) == [[(5,)], [(1, 2), (3, 4)]]
        assert cache.find_plan(inputs, 8) == []
        assert cache.find_plan(inputs[:2], 4) == []
        cache.remove_plan(inputs, 4)
        assert cache.find_plan(inputs, 4) == []


def test_a_file_that_another_process_writes_is_not_damaged(warned, monkeypatch):
    monkeypatch.setattr(cache_file, "_LOCK_TIMEOUT", 0.01)
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    (file,) = runtime.cache.rglob("*.sqlite")
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with open_cache(runtime, "one") as cache:
            assert cache.find([(1,)]) == {}
            cache.add({(2,): np.zeros(1, dtype=np.float32)})
    assert len(warnings) == 1
    assert "database is locked" in warnings[0]


def test_a_locked_file_is_waited_for_once(warned, monkeypatch):
    monkeypatch.setattr(cache_file, "_LOCK_TIMEOUT", 0.5)
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        (file,) = runtime.cache.rglob("*.sqlite")
        with closing(sqlite3.connect(file)) as other:
            other.execute("BEGIN EXCLUSIVE")
            start = time.monotonic()
            assert cache.find([(i,) for i in range(5000)]) == {}  # ten queries
            cache.add({(2,): np.zeros(1, dtype=np.float32)})
            assert cache.find_plan([(1,)], 4) == []
            assert time.monotonic() - start < 5  # ten times the time-out
    assert len(warnings) == 1
    assert "the cache cannot be read: database is locked" in warnings[0]


@pytest.mark.parametrize("text", ["[[7]]", "[", "null"])
def test_a_damaged_plan(warned, text):
    runtime, warnings = warned
    with open_cache(runtime, "one") as cache:
        cache.add_plan([(1,)], 4, [[(1,)]])
        cache._database.execute("UPDATE plans SET batches = ?", [text])
        assert cache.find_plan([(1,)], 4) == []
    assert "it is damaged" in warnings[0]
