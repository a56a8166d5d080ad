from __future__ import annotations

import pytest

from assay.data.tables.fields import check_fields, csv_fields
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


def test_too_many_fields_are_refused_before_splitting():
    check_fields(["a\tb", "\t" * 1000], "\t", path="f")
    with pytest.raises(InputError, match=r"f, line 2: 200,001 fields; the limit is 100,000"):
        check_fields(["a", "\t" * 200_000], "\t", path="f")
    with pytest.raises(InputError, match=r"almost empty: 5,050,500 fields in 500 lines"):
        check_fields(["\t" * 10_100] * 500, "\t", path="f")
    assert len(csv_fields('"' + "," * 300_000 + '",' + "x" * 400_000, path="f", line=1)) == 2
