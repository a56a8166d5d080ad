from __future__ import annotations

import math

import pytest

from assay.errors import DecodeError, InputError, NameClashError
from assay.files.strict_json import parse_json, parse_object


def test_json():
    assert parse_json('[1, "\\u00e9", "\\ud83d\\ude00"]', path="f", line=1) == [1, "é", "😀"]
    assert parse_object('{"a": null}', path="f", line=1) == {"a": None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"invalid JSON: expecting value \(character 1\)"),
        ("{", "invalid JSON"),
        ("[NaN]", "NaN is not a number"),
        ("-Infinity", "-Infinity is not a number"),
        ('{"a": 1, "a": 1}', "duplicate key 'a'"),
        ('"\\ud800"', "lone surrogate"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "invalid JSON: a number has too many digits$"),
        ('{"b": 1, "\\u001b": 1, "\\u001b": 1}', r"duplicate key '\\x1b'"),
        ("[1]", "expected a JSON object, not list"),
    ],
)
def test_what_is_not_json(text, message):
    with pytest.raises(InputError, match=message) as caught:
        parse_object(text, path="f", line=3)
    assert caught.value.line == 3


def test_nan_is_accepted_if_allowed():
    (value,) = parse_json("[NaN]", path="f", allow_nan=True)
    assert math.isnan(value)
    with pytest.raises(InputError, match="Infinity is not a number"):
        parse_json("[Infinity]", path="f", allow_nan=True)


def test_a_whole_file_has_lines_of_its_own():
    with pytest.raises(InputError, match="f, line 2: invalid JSON") as caught:
        parse_json('{"a": 1,\n"b" 2}', path="f")
    assert caught.value.line == 2


def test_kinds_of_errors():
    with pytest.raises(NameClashError):
        parse_json('{"a": 1, "a": 1}', path="f")
    with pytest.raises(DecodeError):
        parse_json('"\\ud800"', path="f")
