from __future__ import annotations

import pytest

from assay.data.tables.fields import csv_fields
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
    with pytest.raises(InputError, match="f, line 7: invalid CSV"):
        csv_fields(text, path="f", line=7)


def test_fields_of_any_length():
    assert csv_fields(f'"{"x" * 200_000}",y', path="f", line=1) == ["x" * 200_000, "y"]
