from __future__ import annotations

import pickle

import numpy as np
import pytest

from assay.types import FrozenDict, mean_of_given, present


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


def test_mean_of_given():
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 5.0]])
    np.testing.assert_array_equal(mean_of_given(values, axis=0), [1.0, np.nan, 4.0])
    np.testing.assert_array_equal(mean_of_given(values, axis=1), [2.0, 5.0])
