"""Hypotheses and references, checked."""

from __future__ import annotations

import pytest

from assay.compat.sacrebleu.columns import hypothesis_column, read_references, reference_columns, reference_count
from assay.compat.sacrebleu.errors import NoReferencesError, TextError
from assay.errors import AlignmentError


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
    with pytest.raises(AlignmentError, match="2 hypotheses, but references are 1 lists of 3"):
        hypothesis_column(["a", "b"], references)
    with pytest.raises(NoReferencesError, match="no references were given"):
        read_references([])


def test_lone_surrogates_are_scored():
    """As by sacreBLEU; Assay's own interface refuses them."""
    assert hypothesis_column(["a \ud800"], (("b",),)) == ("a \ud800",)
