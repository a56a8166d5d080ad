from __future__ import annotations

import pytest

from assay.data.fields import csv_fields, json_object, json_value
from assay.errors import InputError


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("a,b,", ["a", "b", ""]),
        ("", [""]),
        ('a,"b,""c""",d', ["a", 'b,"c"', "d"]),
        (" a ,\tb", [" a ", "\tb"]),
    ],
)
def test_fields(text, fields):
    assert csv_fields(text, path="f", line=1) == fields


@pytest.mark.parametrize("text", ['a,"b', 'a,"b"c', '"'])
def test_fields_do_not_go_over_the_end_of_a_line(text):
    with pytest.raises(InputError, match="f, line 7: not comma-separated values"):
        csv_fields(text, path="f", line=7)


def test_json():
    assert json_value('[1, "\\u00e9", "\\ud83d\\ude00"]', path="f", line=1) == [1, "é", "😀"]
    assert json_object('{"a": null}', path="f", line=1) == {"a": None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"not JSON: expecting value \(character 1\)"),
        ("{", "not JSON"),
        ("[NaN]", "NaN is not a number"),
        ("-Infinity", "-Infinity is not a number"),
        ('{"a": 1, "a": 1}', "the key 'a' comes twice"),
        ('"\\ud800"', "half a surrogate pair"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "not JSON: a number has too many digits$"),
        ('{"b": 1, "\\u001b": 1, "\\u001b": 1}', r"the key '\\x1b' comes twice"),
        ("[1]", "not a JSON object"),
    ],
)
def test_what_is_not_json(text, message):
    with pytest.raises(InputError, match=message) as caught:
        json_object(text, path="f", line=3)
    assert caught.value.line == 3


def test_fields_of_any_length():
    assert csv_fields(f'"{"x" * 200_000}",y', path="f", line=1) == ["x" * 200_000, "y"]
