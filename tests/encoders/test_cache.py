"""States on disk."""

from __future__ import annotations

import numpy as np
import pytest

from assay.encoders.cache import opened_cache
from assay.errors import InputError


def test_without_a_folder_there_is_no_cache():
    with opened_cache(None, "x") as cache:
        assert cache is None


def test_many_texts_are_found_again(tmp_path):
    states = {(i, i + 1): np.full((2, 3), i, dtype=np.float32) for i in range(1200)}
    with opened_cache(tmp_path, "one") as cache:
        cache.add(states)
        cache.add({(0, 1): np.zeros((2, 3), dtype=np.float32)})
    with opened_cache(tmp_path, "one") as cache:
        found = cache.find([*states, (5,)])
        assert found.keys() == states.keys()
        assert all((found[ids] == states[ids]).all() for ids in states)
    with opened_cache(tmp_path, "other") as cache:
        assert cache.find(list(states)) == {}


def test_an_interrupted_batch_leaves_nothing(tmp_path):
    class Broken:
        def astype(self, *_, **__):
            raise KeyboardInterrupt

    with opened_cache(tmp_path, "one") as cache:
        with pytest.raises(KeyboardInterrupt):
            cache.add({(1,): np.zeros((1, 2), dtype=np.float32), (2,): Broken()})
        assert cache.find([(1,), (2,)]) == {}


def test_a_damaged_file_is_an_input_error(tmp_path):
    with opened_cache(tmp_path, "one"):
        pass
    (file,) = tmp_path.rglob("*.sqlite")
    file.write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match="the cache cannot be used"), opened_cache(tmp_path, "one"):
        pass


def test_other_errors_are_not_those_of_the_cache(tmp_path):
    with pytest.raises(ValueError, match="of the model"), opened_cache(tmp_path, "one"):
        raise ValueError("of the model")


def test_states_that_were_cut_off(tmp_path):
    with opened_cache(tmp_path, "one") as cache:
        cache.add({(1, 2): np.zeros((1, 3), dtype=np.float32)})
        with pytest.raises(InputError, match="the cache cannot be used"):
            cache.find([(1, 2)])
