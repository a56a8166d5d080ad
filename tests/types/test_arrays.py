from __future__ import annotations

import pickle

import pytest

from assay.types import FrozenDict, present


def test_a_frozen_dict_keeps_order_and_stays_as_it_is():
    source = {"b": 1, "a": 2}
    frozen = FrozenDict(source)
    source["c"] = 3
    assert list(frozen.items()) == [("b", 1), ("a", 2)]
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    with pytest.raises(TypeError):
        frozen["a"] = 1
    assert repr(frozen) == "{'b': 1, 'a': 2}"


def test_present():
    assert present(("a", None, "")).tolist() == [True, False, True]
    assert present(("a", "")).tolist() == [True, True]
