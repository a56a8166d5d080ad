"""Hypotheses and references, checked."""

from __future__ import annotations

import pytest

from assay.compat.sacrebleu.columns import (
    checked_testset,
    hypothesis_column,
    read_references,
    reference_columns,
    reference_count,
)
from assay.compat.sacrebleu.errors import NoReferencesError, TextError
from assay.errors import AlignmentError
from assay.types import TestSet


def test_any_kind_of_list():
    references = reference_columns((iter(["a", None]), ("c", "d")))
    assert references == (("a", None), ("c", "d"))
    assert hypothesis_column(("a b"[k] for k in (0, 2)), references) == ("a", "b")
    assert read_references(("a", "b")) == (("a",), ("b",))


@pytest.mark.parametrize(
    ("columns", "count"), [((("a", "b"),), 1), ((("a", "b"), ("c", "d")), 2), ((("a", None), ("c", "d")), -1)]
)
def test_number_of_references(columns, count):
    assert reference_count(columns) == count


def test_messages_say_where():
    references = (("a", "b", "c"),)
    with pytest.raises(TextError, match="segment 2 of the hypotheses is None"):
        hypothesis_column(["a", None, "c"], references)
    with pytest.raises(TextError, match="segment 3 of the hypotheses is not text, but float"):
        hypothesis_column(["a", "b", 1.0], references)
    with pytest.raises(TextError, match="segment 1 of the references is not text, but int"):
        reference_columns([["a"], [3]])
    with pytest.raises(TextError, match="segment 2 has no reference"):
        reference_count((("a", None), ("b", None)))
    with pytest.raises(AlignmentError, match="2 hypotheses, but references are 1 list of 3"):
        hypothesis_column(["a", "b"], references)
    with pytest.raises(AlignmentError, match="1 hypothesis of 'x', but references are 2 lists of 2 and 3"):
        hypothesis_column(["a"], (("a", "b"), ("a", "b", "c")), "x")
    with pytest.raises(TextError, match="segment 2 of the hypotheses of 'x y' is None"):
        hypothesis_column(["a", None, "c"], references, "x y")
    with pytest.raises(TextError, match="reference 2 is not text, but int"):
        read_references(["a", 3])
    with pytest.raises(NoReferencesError, match="no references were given"):
        read_references([])


def test_lone_surrogates_are_scored():
    """As by sacreBLEU; Assay's own interface refuses them."""
    assert hypothesis_column(["a \ud800"], (("b",),)) == ("a \ud800",)


@pytest.mark.parametrize(
    "values", [{"a", "b"}, frozenset("ab"), {"a": None, "b": None}, {"a": 1}.keys(), "ab", b"ab", 3, None]
)
def test_no_list(values):
    """Sets have no order, and dictionaries would be scored by their keys; sacreBLEU refuses both."""
    kind = type(values).__name__
    with pytest.raises(TextError, match=f"hypotheses must be a list of strings, not {kind}"):
        hypothesis_column(values, (("a", "b"),))
    with pytest.raises(TextError, match=f"references must be a list of strings, not {kind}"):
        reference_columns([values])
    with pytest.raises(TextError, match=f"references must be a list of lists of strings, not {kind}"):
        reference_columns(values)
    with pytest.raises(TextError, match=f"references of a segment must be a list of strings, not {kind}"):
        read_references(values)


def test_a_checked_test_set_is_a_whole_one():
    found = checked_testset([("a",), ("b",)], [("c",)])
    expected = TestSet({"0": ("a",), "1": ("b",)}, {"0": ("c",)})
    assert {name: getattr(found, name) for name in TestSet.__slots__} == {
        name: getattr(expected, name) for name in TestSet.__slots__
    }
