from __future__ import annotations

import pytest

from assay.data.tables.nested import is_kept, records_of_objects
from assay.errors import InputError, NameClashError


def test_nested_objects_are_columns():
    trees = [(4, {"id": 1, "data": {"src": "a", "meta": {"n": 2}}}), (7, {"id": 2, "outputs": {"A": "x"}})]
    names, records = records_of_objects(trees, path="t.json")
    assert names == ["id", "data.src", "data.meta.n", "outputs"]
    assert list(records) == [(4, [1, "a", 2, None]), (7, [2, None, None, {"A": "x"}])]


def test_objects_of_names_and_texts_stay():
    assert all(map(is_kept, ("reference", "Refs", "outputs")))
    assert not is_kept("translation")


def test_clashes_and_depth():
    with pytest.raises(NameClashError, match=r"t.json, line 1: two fields are called 'a.b'"):
        records_of_objects([(1, {"a.b": 1, "a": {"b": 2}})], path="t.json")
    deep: dict[str, object] = {}
    for _ in range(30):
        deep = {"a": deep}
    with pytest.raises(InputError, match="nested too deeply"):
        records_of_objects([(1, deep)], path="t.json")
