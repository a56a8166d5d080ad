"""Any record as a tree of plain values."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from assay.types import FloatArray, FrozenDict, LazyDict, Signature
from assay.types.record import OMITTED, Record, entries, in_tree, plain, record_of


class Colour(StrEnum):
    RED = "red"


class Place(NamedTuple):
    lp: str
    rank: int


class Key(NamedTuple):
    place: Place
    domain: str | None


@dataclass(frozen=True, slots=True)
class Leaf(Record):
    derived: ClassVar[tuple[str, ...]] = ("double",)

    value: float
    basis: str | None = field(default=None, metadata=in_tree(optional=True))

    @property
    def double(self) -> float:
        return 2 * self.value


@dataclass(frozen=True, slots=True)
class Tree(Record):
    name: str = field(metadata=in_tree(key="metric"))
    leaf: Leaf = field(metadata=in_tree(inline=True))
    by_level: Mapping[float, Leaf] = field(metadata=in_tree(entries="level"))
    cutoffs: Mapping[float, float] = field(metadata=in_tree(entries="difference probability"))
    parts: tuple[Leaf, ...] = field(metadata=in_tree(without=("double",)))
    texts: tuple[str, ...] = field(default=(), metadata=OMITTED)


def test_fields_are_keys_unless_they_say_otherwise():
    tree = Tree("bleu", Leaf(1.0), {0.5: Leaf(math.nan)}, {2.0: 0.8}, (Leaf(3.0, "x"),), ("secret",))
    assert tree.to_dict() == {
        "metric": "bleu",
        "value": 1.0,
        "double": 2.0,
        "by_level": [{"level": 0.5, "value": None, "double": None}],
        "cutoffs": [{"difference": 2.0, "probability": 0.8}],
        "parts": [{"value": 3.0, "basis": "x"}],
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (np.float64(0.1), 0.1),
        (np.int64(3), 3),
        (np.array([[1.0, math.nan]]), [[1.0, None]]),
        (np.array([True, False]), [True, False]),
        ((1, ("a", None)), [1, ["a", None]]),
        ({"a": (math.nan,)}, {"a": [None]}),
        ({17: "missing"}, {"17": "missing"}),
        (Colour.RED, "red"),
        (Place("en-de", 1), {"lp": "en-de", "rank": 1}),
        (Signature("bleu", (), "1", "corpus", version="1"), "bleu|refs:1|agg:corpus|version:1"),
        ({}, {}),
    ],
)
def test_plain_values(value, expected):
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)


def test_mappings_by_named_tuples_are_lists():
    values = {Key(Place("en-de", 1), None): Leaf(1.0)}
    assert plain(values) == [{"lp": "en-de", "rank": 1, "domain": None, "value": 1.0, "double": 2.0}]
    assert entries({0.5: Leaf(1.0)}, "level") == [{"level": 0.5, "value": 1.0, "double": 2.0}]


def test_numbers_keep_every_digit():
    values: FloatArray = np.array([0.1 + 0.2, 1e-300])
    assert plain(values) == values.tolist()


@dataclass(frozen=True, slots=True)
class Settings(Record):
    values: Mapping[str, Mapping[str, int]]
    missing: Mapping[str, int] | None = None
    later: LazyDict[str, int] | None = None


def test_dictionaries_cannot_be_changed():
    given = {"a": {"b": 1}}
    lazy = LazyDict(["x"], lambda: [1])
    made = Settings(given, later=lazy)
    given["a"]["b"] = 2
    assert made.values == {"a": {"b": 1}}
    assert isinstance(made.values, FrozenDict)
    assert isinstance(made.values["a"], FrozenDict)
    assert made.missing is None
    assert made.later is lazy, "what is computed later stays so"


@dataclass(frozen=True, slots=True)
class Flat(Record):
    name: str
    weight: float = field(metadata=in_tree(key="w"))
    reason: str | None = None
    count: int = 1


def test_a_flat_record_comes_back_from_its_tree():
    for made in (Flat("a", 0.5, "why", 3), Flat("b", math.nan)):
        assert repr(record_of(Flat, json.loads(json.dumps(made.tree())))) == repr(made)
    assert record_of(Flat, {"name": "a", "w": 1.0}) == Flat("a", 1.0)
    with pytest.raises(KeyError):
        record_of(Flat, {"name": "a"})
