from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.tables.score_files import name_and_level, read_score_file, score_text
from assay.errors import InputError
from assay.types import ScoreTable


def read(tmp_path, text, name="m", level="segment", **options):
    path = tmp_path / "m.seg.score"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_score_file(path, name=name, level=level, **options)


def test_blocks_of_systems(tmp_path):
    table = read(tmp_path, "b\t1\nb\tNone\na -2.5\na  1e-3\n")
    assert table.systems == ("b", "a")
    assert np.array_equal(table.values, [[1, math.nan], [-2.5, 0.001]], equal_nan=True)
    assert (table.gaps, len(table.digest)) == (1, 32)


@pytest.mark.parametrize("text", ["a 1\na 2", "a 1\r\na 2\r\n", "a\t1\n a\t2 \n"])
def test_unusual_but_right(tmp_path, text):
    assert read(tmp_path, text).values.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "empty file"),
        ("a\n", {}, "line 1: expected 'SYSTEM SCORE', not 'a'"),
        ("a 1\n\na 2\n", {}, "line 2: expected 'SYSTEM SCORE', not ''"),
        ("a 1 2\n", {}, "line 1: expected 'SYSTEM SCORE', not 'a 1 2'"),
        ("a 1\na x\n", {}, "line 2: the score is not a number: 'x'"),
        ("a 1\na 1,5\n", {}, "line 2: the score is not a number: '1,5'"),
        ("a 1\na 1e400\n", {}, "line 2: the score 1e400 is too large"),
        ("a inf\n", {}, "line 1: the score is not a number: 'inf'"),
        ("a 1_0\n", {}, "line 1: the score is not a number: '1_0'"),
        ("a 1\nb 2\nb 3\n", {}, "2 scores for system 'b', expected 1|1 score for system 'a', expected 2"),
        ("\n", {}, "empty file"),
        ("a 1\nb 2\na 3\n", {}, "line 3: a second block of system 'a'"),
        ("a 1\na 2\n", {"items": 1}, "line 2: more than 1 score for system 'a'"),
        ("a 1\n", {"items": 2}, "1 score for system 'a', expected 2"),
        (b"a 1\n\xff 2\n", {}, "line 2: byte 1 of the line"),
    ],
)
def test_damaged(tmp_path, text, options, message):
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text, **options)
    assert "m.seg.score" in str(caught.value)


def test_domains(tmp_path):
    table = read(tmp_path, "news a 1\nads a 2\nnews b 3\n", level="domain", items=("ads", "news"))
    assert (table.items, table.systems) == (("ads", "news"), ("a", "b"))
    assert np.array_equal(table.values, [[2, 1], [math.nan, 3]], equal_nan=True)
    with pytest.raises(InputError, match="line 2: duplicate score of 'a' in 'news'"):
        read(tmp_path, "news a 1\nnews a 2\n", level="domain")
    with pytest.raises(InputError, match="unknown domain 'chat'"):
        read(tmp_path, "chat a 1\n", level="domain", items=("news",))


def test_documents(tmp_path):
    assert read(tmp_path, "a 1\na 2\n", level="document", items=("d1", "d2")).items == ("d1", "d2")
    assert read(tmp_path, "a 1\na 2\n", level="document").items == ("document 1", "document 2")


@given(st.lists(st.one_of(st.none(), st.floats(-1e150, 1e150)), min_size=4, max_size=4))
def test_round_trip(tmp_path_factory, numbers):
    values = np.array([math.nan if n is None else n for n in numbers]).reshape(2, 2)
    folder = tmp_path_factory.mktemp("round")
    for level, items in (("segment", ()), ("document", ("d", "e")), ("domain", ("d", "e"))):
        table = ScoreTable("m", level, ("ü", "b"), values, items=items)
        again = read(folder, score_text(table), level=level, items=items or None)
        assert again.systems == table.systems
        assert np.array_equal(again.values, table.values, equal_nan=True)


def test_names_of_files():
    assert name_and_level("COMET-22.v2.seg.score.gz") == ("COMET-22.v2", "segment")
    assert name_and_level("COMET.score") is None
    assert name_and_level(".seg.score") is None
