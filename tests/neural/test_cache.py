"""Results on disk."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from assay.errors import InputError
from assay.neural import cache as cache_module
from assay.neural.cache import opened_cache


def test_without_a_folder_there_is_no_cache():
    with opened_cache(None, "x") as cache:
        assert cache is None


def test_many_results_of_any_shape_are_found_again(tmp_path):
    results = {(i, i + 1): np.full((2, 3) if i % 2 else (5,), i, dtype=np.float32) for i in range(1200)}
    with opened_cache(tmp_path, "one") as cache:
        cache.add(results)
        cache.add({(0, 1): np.zeros((2, 3), dtype=np.float32)})
    with opened_cache(tmp_path, "one") as cache:
        found = cache.find([*results, (5,)])
        assert found.keys() == results.keys()
        assert all(np.array_equal(found[ids], results[ids]) for ids in results)
    with opened_cache(tmp_path, "other") as cache:
        assert cache.find(list(results)) == {}


def test_an_identity_with_slashes_is_a_file_name(tmp_path):
    with opened_cache(tmp_path, "../models/a b") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    assert [path.name for path in tmp_path.rglob("*.sqlite")] == [".._models_a_b.sqlite"]


def test_an_interrupted_batch_leaves_nothing(tmp_path):
    class Broken:
        shape = (1, 2)

        def astype(self, *_, **__):
            raise KeyboardInterrupt

    with opened_cache(tmp_path, "one") as cache:
        with pytest.raises(KeyboardInterrupt):
            cache.add({(1,): np.zeros((1, 2), dtype=np.float32), (2,): Broken()})
        assert cache.find([(1,), (2,)]) == {}


def test_a_large_file_does_not_grow(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "_LARGEST", 10)
    with opened_cache(tmp_path, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
        assert cache.find([(1,)]) == {}


def test_a_full_disk_does_not_end_a_run(tmp_path):
    with opened_cache(tmp_path, "one") as cache:
        cache._database.execute("PRAGMA max_page_count = 5")
        cache.add({(1,): np.zeros(100_000, dtype=np.float32)})
        assert cache.find([(1,)]) == {}
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        assert cache.find([(2,)]) == {}


def test_a_file_that_is_deleted_in_mid_run_does_not_end_it(tmp_path):
    with opened_cache(tmp_path, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
        shutil.rmtree(tmp_path)
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        cache.add_plan([(1,)], 4, [[(1,)]])
        assert cache.find([(2,)]) == {}


def test_a_file_that_cannot_be_written_is_read(tmp_path):
    with opened_cache(tmp_path, "one") as cache:
        cache.add({(1,): np.zeros(1, dtype=np.float32)})
    with opened_cache(tmp_path, "one") as cache:
        cache._database.execute("PRAGMA query_only = yes")
        cache.add({(2,): np.zeros(1, dtype=np.float32)})
        cache.add_plan([(2,)], 4, [[(2,)]])
        assert cache.find([(1,), (2,)]).keys() == {(1,)}


def test_a_disk_without_space_for_a_table(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "_TABLES", ("PRAGMA query_only = yes", *cache_module._TABLES))
    with opened_cache(tmp_path, "one") as cache:
        assert cache.find([(1,)]) == {}
        assert cache.find_plan([(1,)], 4) == []


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    with opened_cache(tmp_path / "new", "one") as cache:
        assert cache is None


def test_a_file_instead_of_a_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file: the cache is not a folder"), opened_cache(tmp_path / "file", "one"):
        pass


def test_a_damaged_file_is_an_input_error(tmp_path):
    with opened_cache(tmp_path, "one"):
        pass
    (file,) = tmp_path.rglob("*.sqlite")
    file.write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match="the cache is damaged"), opened_cache(tmp_path, "one") as cache:
        cache.find([(1,)])


def test_other_errors_are_not_those_of_the_cache(tmp_path):
    with pytest.raises(ValueError, match="of the model"), opened_cache(tmp_path, "one"):
        raise ValueError("of the model")


def test_numbers_that_were_cut_off(tmp_path):
    with opened_cache(tmp_path, "one") as cache:
        cache.add({(1, 2): np.zeros((2, 3), dtype=np.float32)})
        cache._database.execute("UPDATE results SET numbers = x'0000'")
        with pytest.raises(InputError, match="the cache is damaged"):
            cache.find([(1, 2)])


def test_plans(tmp_path):
    inputs = [(1, 2), (3, 4), (5,)]
    with opened_cache(tmp_path, "one") as cache:
        assert cache.find_plan(inputs, 4) == []
        cache.add_plan(inputs, 4, [[(5,)], [(1, 2), (3, 4)]])
    with opened_cache(tmp_path, "one") as cache:
        assert cache.find_plan(inputs, 4) == [[(5,)], [(1, 2), (3, 4)]]
        assert cache.find_plan(inputs, 8) == []
        assert cache.find_plan(inputs[:2], 4) == []
