from __future__ import annotations

import dataclasses
import enum
from typing import NamedTuple, get_args

import numpy as np
import pytest

from assay import results, types
from assay.results import Measure, MetaColumn
from assay.store.encoding import classes, decode, encode
from assay.store.hints import hints_of
from assay.types import FrozenDict, Note, NoteKind, Signature
from tests.store import examples


def round_trip(value, **options):
    tree, files = encode(value, **options)
    return decode(tree, files)


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (None, None),
        ("x", "x"),
        (True, True),
        (2**70, 2**70),
        (0.1, 0.1),
        (float("-inf"), {"float": "-inf"}),
        ((1, ("x", None)), [1, ["x", None]]),
        (FrozenDict({"a": 1, "b": (2,)}), {"map": {"a": 1, "b": [2]}}),
        (FrozenDict({0.27: 0.5}), {"map": [[0.27, 0.5]]}),
        (NoteKind.MISSING, {"NoteKind": "missing"}),
        (
            Measure("pearson", "kept"),
            {"Measure": {"statistic": "pearson", "outliers": "kept", "domain": None}},
        ),
        (
            Note(NoteKind.MISSING, "x", count=2),
            {
                "Note": {
                    "kind": {"NoteKind": "missing"},
                    "text": "x",
                    "where": "",
                    "count": 2,
                    "severity": "note",
                    "line": None,
                    "hint": None,
                    "example": None,
                }
            },
        ),
    ],
)
def test_the_form(value, tree):
    assert encode(value) == (tree, {})
    decoded = decode(tree, {})
    assert type(decoded) is type(value)
    assert decoded == value


def test_named_tuples_as_keys():
    value = FrozenDict({MetaColumn("de-en", Measure("pearson", "kept")): Measure("kendall", "dropped")})
    decoded = round_trip(value)
    assert decoded == value
    assert isinstance(next(iter(decoded)).measure, Measure)


def test_numpy_scalars_become_plain_numbers():
    tree, _ = encode((np.float64(0.1), np.int64(3), np.bool_(True), np.float64("nan")))
    assert tree == [0.1, 3, True, {"float": "nan"}]
    assert [type(item) for item in tree[:3]] == [float, int, bool]


def test_lists_and_dictionaries_become_frozen():
    assert round_trip([1, {"a": [2]}]) == (1, FrozenDict({"a": (2,)}))


def test_arrays_are_files_named_by_field_and_content():
    signature = Signature("bleu", (("tok", "13a"),), "1", "corpus", version="1")
    arrays = {"table": np.ones((1, 2, 1)), "scored": np.ones((1, 2), dtype=bool)}
    tree, files = encode(types.Statistics(("a",), ("n",), **arrays, signature=signature))
    assert sorted(name.split(".")[0] for name in files) == ["scored", "table"]
    assert tree["Statistics"]["table"] == {"array": next(name for name in files if name.startswith("table"))}
    decoded = decode(tree, files)
    assert decoded.signature == signature
    assert np.array_equal(decoded.table, arrays["table"])


def test_a_mapping_of_arrays_is_one_file_if_their_shapes_are_equal():
    alike = {"a": np.zeros(3), "b": np.ones(3)}
    tree, files = encode(alike)
    assert (len(files), tree["rows"][0]) == (1, ["a", "b"])
    for value in (alike, {"a": np.zeros(3), "b": np.ones(4)}, {"a": np.zeros(3), "b": np.ones(3, dtype=np.int64)}, {}):
        decoded = round_trip(value)
        assert list(decoded) == list(value)
        for key, array in value.items():
            assert decoded[key].dtype == array.dtype
            assert np.array_equal(decoded[key], array)


def test_equal_arrays_are_stored_once():
    _, files = encode((np.zeros(3), np.zeros(3)))
    assert len(files) == 1


def test_a_test_set_is_its_record_or_a_file():
    assert round_trip(examples.testset()) == examples.testset().record
    tree, files = encode(examples.testset(), texts=True)
    assert list(tree) == ["texts"]
    assert decode(tree, files) == examples.testset()


class _Point(NamedTuple):
    x: int


class _Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass(frozen=True)
class Estimates:
    x: int = 0


@pytest.mark.parametrize("value", [_Point(1), _Colour.RED, Estimates(), set(), b"x", object(), len, np.array(["x"])])
def test_other_types_are_refused(value):
    with pytest.raises(ValueError, match="cannot be saved"):
        encode((value,))


def test_a_class_of_the_same_name_is_refused():
    other = dataclasses.make_dataclass("Estimate", ["value"], frozen=True)
    with pytest.raises(ValueError, match="type Estimate cannot be saved"):
        encode(other(1))


def test_deep_values_are_refused():
    value = tree = None
    for _ in range(100):
        value, tree = (value,), [tree]
    with pytest.raises(ValueError, match="nested more than 64 levels"):
        encode(value)
    with pytest.raises(ValueError, match="nested more than 64 levels"):
        decode(tree, {})


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"Estimate": {"value": 1.0, "n": 2}, "Note": {}},
        {"Run": None},
        {"os.system": ["true"]},
        {"FrozenDict": {}},
        {"Column": []},
        {"check_names": ["system", []]},
        {"NoteKind": "else"},
        {"Estimate": {"value": 1.0, "n": 2, "_x": 3}},
        {"float": "1.5"},
        {"float": 1.5},
        {"map": [[1]]},
        {"map": [[{"map": {}}, 1]]},
        {"map": 3},
        {"array": "missing"},
        {"array": 3},
        {"rows": [["a"]]},
        {"texts": "missing"},
    ],
    ids=str,
)
def test_other_trees_are_refused(tree):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        decode(tree, {})


def test_rows_without_keys_are_refused():
    tree, files = encode({"a": np.zeros(3), "b": np.ones(3)})
    tree["rows"][0].pop()
    with pytest.raises(ValueError, match="zip"):
        decode(tree, files)


def test_classes_are_those_that_are_exported():
    assert {"Run", "Ranking", "Estimate", "Measure", "Note", "NoteKind", "TestSetRecord"} <= classes().keys()
    assert classes().keys() <= {*results.__all__, *types.__all__}


def mentioned(hint):
    """The classes that a type hint mentions."""
    if arguments := get_args(hint):
        return {cls for argument in arguments for cls in mentioned(argument)}
    return {hint} if isinstance(hint, type) else set()


@pytest.mark.parametrize(
    "name", [name for name in results.__all__ if name in classes() and not issubclass(classes()[name], enum.Enum)]
)
def test_the_fields_of_results_have_types_that_can_be_saved(name):
    """A new class that a result holds has to be exported by assay.results or assay.types."""
    cls = classes()[name]
    names = [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else cls._fields
    hints = hints_of(cls)
    for name in names:
        for kind in mentioned(hints[name]):
            assert kind.__module__.split(".")[0] != "assay" or kind in classes().values() or kind is FrozenDict
