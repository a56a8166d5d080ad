"""Columns of Python strings and of UTF-8 behave like the tuple of their texts."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import _core
from assay.errors import DecodeError
from assay.types import Column, TestSet, as_column

pa = pytest.importorskip("pyarrow")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
TEXTS = st.lists(st.none() | TEXT, max_size=12)
ALPHABETS = ("abc XYZ", "äöü ÄÖÜ ß", "Σσς İı ΑΣ", "日本 語", "𝒳😀 a", "\u0301e\u0300 \u2028\x85")


def both(texts):
    """The same texts as Python strings and as UTF-8."""
    return Column(tuple(texts)), as_column(pa.array(texts, pa.large_string()))


@given(TEXTS, st.slices(12), st.integers(-12, 11))
def test_it_is_a_sequence_like_a_tuple(texts, part, place):
    expected = tuple(texts)
    for column in both(texts):
        assert isinstance(column, Sequence)
        assert len(column) == len(expected)
        assert bool(column) == bool(expected)
        assert tuple(column) == expected
        assert tuple(reversed(column)) == expected[::-1]
        assert column == expected
        assert expected == column
        assert hash(column) == hash(expected)
        assert column[part] == expected[part]
        assert [text in column for text in (*texts, "no such text")] == [True] * len(texts) + [False]
        assert [column.index(text) for text in texts] == [expected.index(text) for text in texts]
        assert [column.count(text) for text in texts] == [expected.count(text) for text in texts]
        if -len(texts) <= place < len(texts):
            assert column[place] == expected[place]
        else:
            with pytest.raises(IndexError):
                column[place]
        assert pickle.loads(pickle.dumps(column)) == expected
        assert copy.deepcopy(column) == copy.copy(column) == expected


@given(TEXTS, TEXTS)
def test_equality_depends_on_the_texts_only(texts, others):
    for column in both(texts):
        for other in (*both(others), tuple(others)):
            assert (column == other) == (tuple(texts) == tuple(others))
        assert column == both(texts)[0] == both(texts)[1]
    assert Column(tuple(texts)) != [*texts]


@given(st.lists(st.none() | TEXT, min_size=1, max_size=12), st.data())
def test_take(texts, data):
    places = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=10))
    for column in both(texts):
        assert column.take(np.array(places, dtype=np.int64)) == tuple(texts[i] for i in places)
        with pytest.raises(IndexError):
            column.take(np.array([len(texts)]))


def test_texts_that_stand_for_no_text():
    utf8 = as_column(pa.array(["a", "b", None, "", "ab", "b"]))
    assert utf8.without("b") == ("a", None, None, "", "ab", None)
    assert utf8.without("") == ("a", "b", None, None, "ab", "b")
    assert utf8.without("c") == utf8
    with pytest.raises(TypeError, match="not UTF-8"):
        Column(("a",)).without("a")


@given(st.lists(st.none() | st.sampled_from(ALPHABETS).flatmap(lambda a: st.text(a, max_size=20)) | TEXT, max_size=9))
def test_the_core_reads_both_alike(texts):
    strings, utf8 = both(texts)
    assert utf8.is_utf8
    assert not strings.is_utf8
    lowered = tuple(None if text is None else text.lower() for text in texts)
    assert _core.lower(strings) == _core.lower(utf8) == lowered
    np.testing.assert_array_equal(_core.present(strings), _core.present(utf8))
    np.testing.assert_array_equal(_core.lengths(strings), _core.lengths(utf8))
    for function in (_core.blank_lines, _core.lines_to_normalize, _core.lines_to_decode, _core.packed):
        assert function(strings) == function(utf8)
    for character in "a \n":
        expected = [i for i, text in enumerate(texts) if text is not None and character in text]
        assert _core.lines_containing(strings, character) == _core.lines_containing(utf8, character) == expected
    expected = [i for i, text in enumerate(texts) if text is not None and len(text) >= 5]
    assert _core.long_lines(strings, 5) == _core.long_lines(utf8, 5) == expected
    expected = [i for i, text in enumerate(texts) if text is not None and " " in text]
    assert _core.equal_lines(strings, utf8) == _core.equal_lines(utf8, strings) == expected
    outputs = (_core.lower(strings),), (_core.lower(utf8),)
    for kernel in (
        lambda columns, out: _core.bleu_statistics(columns, out, "13a", 4, "closest", 1),
        lambda columns, out: _core.chrf_statistics(columns, out, 6, 2, False, 2.0, False, 1),
        lambda columns, out: _core.rate_statistics(columns, out, "ter", "tercom", True, False, 1 << 40, 1),
        lambda columns, out: _core.rate_statistics(columns, out, "cer", "none", True, False, 1 << 40, 1),
        lambda columns, out: _core.character_statistics(columns, out, "none", "cer", 1 << 40, 1),
        lambda columns, out: _core.eed_statistics(columns, out, "torchmetrics", True, 2.0, 0.3, 0.2, 1.0, 1 << 40, 1),
    ):
        np.testing.assert_array_equal(kernel((strings,), outputs[0]), kernel((utf8,), outputs[1]))
    trigrams = [_core.LineTrigrams(column, 7) for column in (strings, utf8)]
    tables = [_core.TrigramTable(own, 0.9) for own in trigrams]
    similarities = [table.similarities(table.rare(own), 1) for table, own in zip(tables, trigrams, strict=True)]
    np.testing.assert_array_equal(*similarities)


@given(st.lists(st.none() | TEXT | st.text("AİΣσÄ\u212a𝐀𐐀b", max_size=5), min_size=1, max_size=9))
def test_texts_in_lower_case(texts):
    lowered = _core.lower(Column(tuple(texts)))
    expected = [None if text is None else text.lower() for text in texts]
    assert list(lowered) == expected
    assert list(lowered[1:]) == expected[1:]
    assert list(lowered[::-1]) == expected[::-1]
    assert list(lowered.take(np.array([len(texts) - 1]))) == expected[-1:]
    assert _core.lower(lowered) == lowered == Column(tuple(expected))


def test_a_slice_of_all_texts_is_the_column():
    column = Column(("a", None, "ü"))
    assert column[:] == column[0:3] == column
    assert list(column[0:2]) == ["a", None]


def test_what_is_not_text_has_no_lower_case():
    with pytest.raises(TypeError, match="a text must be a str or None"):
        _core.lower(Column(("a", 3)))


def test_what_is_not_text_is_kept_and_named():
    surrogate, number, nested = (Column(("a", odd)) for odd in ("\ud800", 3, ["b"]))
    assert (surrogate.flaw, number.flaw, nested.flaw) == ((1, "surrogate"), (1, "type"), (1, "nested"))
    assert (surrogate[1], number[1], nested[1]) == ("\ud800", 3, ["b"])
    assert Column(("a", None)).flaw is None
    with pytest.raises(TypeError, match="a text must be a str or None"):
        _core.bleu_statistics((("a",),), ((3,),), "13a", 4, "closest", 1)


def test_its_representation_shows_a_few_texts():
    assert repr(Column(("a", None))) == "Column(('a', None))"
    assert repr(Column(("a",) * 10)) == "Column of 10 texts"


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_arrow_arrays_stay_where_they_are(kind):
    texts = ["Äpfel", None, "", "zwei 😀", "drei"] * 5
    array = pa.array(texts, kind)
    for arrow in (array, array[3:17], pa.chunked_array([array[:9], array[9:]])):
        column = as_column(arrow)
        assert column.is_utf8
        assert column == tuple(arrow.to_pylist())
        assert TestSet(outputs={"a": column}).outputs["a"] is column
    assert as_column(pa.array([], kind)) == ()
    assert as_column(pa.array([None], kind)) == (None,)


@pytest.mark.parametrize(
    "kind",
    [pa.dictionary(pa.int32(), pa.string()), *([pa.string_view()] if hasattr(pa, "string_view") else [])],  # pyarrow 16
)
def test_arrow_arrays_in_other_layouts_make_no_strings(kind):
    texts = ["Äpfel", None, "", "zwei 😀", "drei"] * 5
    array = pa.array(texts).cast(kind)
    for arrow in (array, array[3:17], pa.chunked_array([array[:9], array[9:]])):
        column = as_column(arrow)
        assert column.is_utf8
        assert column == tuple(arrow.to_pylist())
    assert as_column(pa.array([None, None])) == (None, None)


def test_other_arrow_arrays_are_not_text():
    assert as_column(pa.array([1, 2])).flaw == (0, "type")
    assert as_column(pa.array([1, 2]).dictionary_encode()).flaw == (0, "type")
    assert as_column(pa.array([["a"]])).flaw == (0, "type")


def test_damaged_arrow_arrays_are_refused():
    offsets, data = pa.py_buffer(np.array([0, 1], np.int64)), pa.py_buffer(b"\xff")
    with pytest.raises(DecodeError, match="a damaged Arrow array: the texts are not UTF-8"):
        as_column(pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, data]))


@pytest.mark.parametrize(
    ("data", "offsets", "validity", "message"),
    [
        (b"abc", [], None, "no offset"),
        (b"abc", [0, 4], None, "not in order"),
        (b"abc", [2, 1], None, "not in order"),
        (b"abc", [-1, 1], None, "not in order"),
        (b"a\xff", [0, 1, 2], None, "not UTF-8"),
        (b"\xc3\xa4", [0, 1, 2], None, "not UTF-8"),
        (b"abc", [0] * 10, [255], "too few"),
    ],
)
def test_memory_that_is_not_utf8_is_refused(data, offsets, validity, message):
    bits = None if validity is None else np.array(validity, np.uint8)
    with pytest.raises(ValueError, match=re.escape(message)):
        Column.of_utf8(np.frombuffer(data, np.uint8), np.array(offsets, np.int64), bits, 0)
