from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError, NameClashError
from assay.types import ScoreTable

SEGMENTS = ScoreTable("esa", "segment", ("a", "b"), np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]]), protocol="ESA")
SYSTEMS = ScoreTable("BLEU", "system", ("a", "b"), np.array([[30.0], [31.0]]), references=("refA",))
DOMAINS = ScoreTable("BLEU", "domain", ["a"], [[1.0, 2.0]], items=["news", "chat"])


def test_what_a_table_says():
    assert (SEGMENTS.is_human, SEGMENTS.gaps, SYSTEMS.is_human, SYSTEMS.gaps) == (True, 1, False, 0)
    assert (DOMAINS.systems, DOMAINS.items) == (("a",), ("news", "chat"))
    assert repr(SEGMENTS) == "ScoreTable(esa, ESA: 2 systems × 3 segments, 1 gaps)"


def test_rows_of_systems():
    taken = SEGMENTS.take(("b", "new", "a"))
    assert taken.systems == ("b", "new", "a")
    np.testing.assert_array_equal(taken.values, [[4, 5, 6], [np.nan] * 3, [1, np.nan, 3]])
    assert taken.protocol == "ESA"


def test_values_cannot_be_changed():
    given = np.array([[1.0]])
    table = ScoreTable("m", "system", ("a",), given)
    given[0, 0] = 2
    assert table.values[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 2


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        (SEGMENTS, {"level": "word"}, "unknown level 'word'"),
        (SEGMENTS, {"protocol": "guess"}, "unknown protocol 'guess'"),
        (SEGMENTS, {"systems": ("a",)}, r"shape \(2, 3\) for 1 system"),
        (SEGMENTS, {"values": np.zeros((2, 0))}, "are empty"),
        (SEGMENTS, {"values": np.zeros((0, 3)), "systems": ()}, "are empty"),
        (SEGMENTS, {"values": np.zeros(2)}, r"shape \(2,\)"),
        (SEGMENTS, {"values": [[1, 2, np.inf], [1, 2, 3]]}, "a value beyond"),
        (SEGMENTS, {"items": ("x", "y")}, "3 segments, but names for 2"),
        (SYSTEMS, {"values": np.zeros((2, 2))}, "2 values per system"),
        (DOMAINS, {"items": ()}, "2 domains, but names for 0"),
        (DOMAINS, {"items": ("news",)}, "2 domains, but names for 1"),
        (DOMAINS, {"items": ("news", "news")}, "two domains with the same name"),
        (DOMAINS, {"domains": ("news",)}, "2 domains, but domains for 1"),
    ],
)
def test_tables_that_do_not_fit(table, change, message):
    with pytest.raises(InputError, match=message):
        replace(table, **change)


def test_systems_have_different_names():
    with pytest.raises(NameClashError):
        replace(SYSTEMS, systems=("a", "a"))


def test_segments_by_name():
    table = ScoreTable("m", "segment", ("a",), [[1.0, 2.0]], items=("x", "y"), domains=("news", "chat"))
    taken = table.take_segments(["y", "z", "x"])
    np.testing.assert_array_equal(taken.values, [[2, np.nan, 1]])
    assert (taken.items, taken.domains) == (("y", "z", "x"), ("chat", "", "news"))
    assert table.take_segments(("x", "y")) is table


@pytest.mark.parametrize(
    ("name", "protocol", "values", "expected"),
    [
        ("mqm", "MQM", [0.0, 5.0], True),
        ("errors", "MQM", [1.0, 5.0], True),
        ("mqm_penalty", "other", [0.0, 5.0], True),
        ("mqm", "MQM", [0.0, -5.0], False),
        ("mqm", "MQM", [-1.0, 5.0], True),
        ("mqm", "MQM", [0.0, np.nan], False),
        ("da", "DA", [0.0, 5.0], False),
        ("mqm", None, [0.0, 5.0], False),
    ],
)
def test_penalties(name, protocol, values, expected):
    table = ScoreTable(name, "segment", ("a",), [values], protocol=protocol)
    with pytest.raises(InputError, match="are positive, but MQM") if expected else contextlib.nullcontext():
        table.refuse_penalties()
    replace(table, higher_is_better=False).refuse_penalties()


@pytest.mark.parametrize("values", [[[1, 2], [3]], [["a"], ["b"]]])
def test_values_that_are_no_table_of_numbers(values):
    with pytest.raises(InputError, match="the scores 'COMET' are not a table of numbers"):
        ScoreTable("COMET", "segment", ("x", "y"), values)


def test_masked_values_are_gaps():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    for values in (masked, [masked[0], masked[1]], masked.astype(float)):
        table = ScoreTable("m", "segment", ("a", "b"), values)
        np.testing.assert_array_equal(table.values, [[1.0, np.nan], [3.0, 4.0]])


@pytest.mark.parametrize("values", [np.array([[1j], [2.0]]), [[1j], [2.0]], np.ma.array([[1j], [2.0]])])
def test_complex_numbers_are_refused(values):
    with pytest.raises(InputError, match="complex numbers are not scores"):
        ScoreTable("m", "segment", ("a", "b"), values)


@pytest.mark.parametrize(("protocol", "value"), [("DA", 1e6), ("DA+SQM", -5), ("ESA", 100.5)])
def test_scores_that_raters_cannot_give_are_refused(protocol, value):
    with pytest.raises(InputError, match=r"must be between 0 and 100, not .* \(b, segment 2\)"):
        ScoreTable("h", "segment", ("a", "b"), np.array([[0, 100], [np.nan, value]]), protocol=protocol)
    for other in (f"{protocol}-z", "other", None):
        assert ScoreTable("h", "segment", ("a",), np.array([[value]]), protocol=other).values == value
