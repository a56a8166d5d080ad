from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest

from assay.types import FrozenDict, LazyDict, mean_of_defined, present


def test_a_frozen_dict_keeps_its_order_and_cannot_be_changed():
    source = {"b": 1, "a": 2}
    frozen = FrozenDict(source)
    source["c"] = 3
    assert list(frozen.items()) == [("b", 1), ("a", 2)]
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    for change in (
        lambda: operator.setitem(frozen, "a", 1),
        lambda: operator.delitem(frozen, "a"),
        lambda: frozen.update(a=1),
        frozen.popitem,
        frozen.clear,
        lambda: frozen.setdefault("z", 1),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
    assert copy.deepcopy(frozen) == frozen
    assert repr(frozen) == "{'b': 1, 'a': 2}"


def test_present():
    assert present(("a", None, "")).tolist() == [True, False, True]
    assert present(("a", "")).tolist() == [True, True]


def test_mean_of_defined():
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 5.0]])
    np.testing.assert_array_equal(mean_of_defined(values, axis=0), [1.0, np.nan, 4.0])
    np.testing.assert_array_equal(mean_of_defined(values, axis=1), [2.0, 5.0])


def test_a_lazy_dict_computes_its_values_once():
    calls = []
    lazy = LazyDict(["b", "a"], lambda: calls.append(1) or [1, 2])
    assert (list(lazy), len(lazy), calls) == (["b", "a"], 2, [])
    assert dict(lazy) == {"b": 1, "a": 2}
    assert repr(lazy) == repr(FrozenDict({"b": 1, "a": 2}))
    assert pickle.loads(pickle.dumps(lazy)) == copy.deepcopy(lazy) == {"b": 1, "a": 2}
    assert calls == [1]
    with pytest.raises(KeyError):
        _ = lazy["c"]
