from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.formats.score import Score, read_score_file, score_text
from assay.errors import ConfigError, InputError
from assay.types import Campaign, ScoreTable


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
        ("", {}, "line 1: not 'SYSTEM SCORE': ''"),
        ("a\n", {}, "line 1: not 'SYSTEM SCORE': 'a'"),
        ("a 1\n\na 2\n", {}, "line 2: not 'SYSTEM SCORE': ''"),
        ("a 1 2\n", {}, "line 1: not 'SYSTEM SCORE': 'a 1 2'"),
        ("a 1\na x\n", {}, "line 2: the score 'x' is not a number"),
        ("a 1\na 1,5\n", {}, "line 2: the score '1,5' is not a number"),
        ("a 1\na 1e400\n", {}, "line 2: the score 1e400 is too large"),
        ("a inf\n", {}, "line 1: the score 'inf' is not a number"),
        ("a 1_0\n", {}, "line 1: the score '1_0' is not a number"),
        ("a 1\nb 2\nb 3\n", {}, "2 scores for system 'b', 1 expected|1 scores for system 'a', 2 expected"),
        ("a 1\nb 2\na 3\n", {}, "line 3: system 'a' begins a second time"),
        ("a 1\na 2\n", {"items": 1}, "line 2: more than 1 scores for system 'a'"),
        ("a 1\n", {"items": 2}, "1 scores for system 'a', 2 expected"),
        ("a 1\n", {"systems": ["b"]}, "scores of an unknown system 'a'"),
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
    with pytest.raises(InputError, match="line 2: a second score of 'a' in 'news'"):
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


@given(st.binary(max_size=60))
def test_arbitrary_bytes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "m.seg.score"
    path.write_bytes(data)
    try:
        (campaign,) = Score().read(path)
    except InputError:
        return
    assert campaign.scores[0].values.size


def test_the_format_by_itself(tmp_path):
    path = tmp_path / "COMET.seg.score"
    path.write_text("a 1\na 2\n", encoding="utf-8")
    (campaign,) = Score().read(path)
    assert (campaign.segments, campaign.scores[0].name, campaign.scores[0].is_human) == (2, "COMET", False)
    Score().write([campaign], tmp_path / "copy.seg.score")
    assert (tmp_path / "copy.seg.score").read_text(encoding="utf-8") == "a\t1.0\na\t2.0\n"
    assert Score("MQM").read(path)[0].human
    with pytest.raises(ConfigError, match="does not name its level"):
        Score().read(tmp_path / "COMET.score")
    with pytest.raises(ConfigError, match="holds one table by system"):
        Score().write([campaign], tmp_path / "copy.sys.score")
    with pytest.raises(ConfigError, match="here are 0"):
        Score().write([Campaign("", "", 0, ("a",), (), None)], tmp_path / "copy.sys.score")


def test_a_mark_and_carriage_returns_are_noted(tmp_path):
    for name, text in (("m.seg.score", "x 1\nx 2\ny 3\ny 4"), ("n.domain.score", "news x 1\nchat x 2")):
        path = tmp_path / name
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        (campaign,) = Score().read(path)
        assert campaign.systems[0] == "x"
        lines = text.count("\n") + 1
        assert [note.partition(": ")[2] for note in campaign.notes] == [
            "a byte order mark was dropped",
            f"carriage returns were dropped at the end of {lines - 1} of {lines} lines",
        ]
