from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.tables.span_rows import errors_of_row, is_span_table, raters_in, span_names, span_rows
from assay.errors import InputError
from assay.types import ErrorSpan


@pytest.mark.parametrize(
    ("name", "header", "expected"),
    [
        ("a.csv", "segment,Start,end,severity", True),
        ("a.csv", "segment;start;end;severity", True),
        ("a.csv", "start,end", False),
        ("a.tsv.gz", 'segment\t"start"\tend\tseverity', True),
        ("a.tsv", "segment,start,end,severity", False),
    ],
)
def test_tables_of_errors_are_known_by_their_columns(name: str, header: str, expected: bool) -> None:
    assert is_span_table(header, Path(name)) is expected


def test_names_of_columns() -> None:
    names = span_names("Rater, Segment ,start,end,severity", Path("a.csv"))
    assert names == ["rater", "segment", "start", "end", "severity"]
    assert raters_in(names) == ["rater"]


def test_rows_have_the_numbers_of_their_lines() -> None:
    lines = ["segment,start,end,severity,text", '1,0,3,minor,"a', 'b"', "2,,,,"]
    rows = list(span_rows(lines, Path("a.csv"), "a.csv"))
    assert [line for line, _ in rows] == [3, 4]
    assert rows[1][1] == {"segment": "2", "start": "", "end": "", "severity": "", "text": ""}
    with pytest.raises(InputError, match=r"a\.csv, line 2: 2 fields, but the header has 5"):
        list(span_rows([lines[0], "1,0"], Path("a.csv"), "a.csv"))


@pytest.mark.parametrize(
    ("start", "end", "severity", "expected"),
    [
        ("0", "3", "Minor", (ErrorSpan("style", "minor", 0, 3),)),
        ("", "", "no-error", ()),
        ("-1", "-1", "", ()),
        ("", "", "none", ()),
        ("missing", "missing", "major", (ErrorSpan("style", "major"),)),
        (" ", "-1", "critical", (ErrorSpan("style", "critical"),)),
    ],
)
def test_errors_of_rows(start: str, end: str, severity: str, expected: tuple[ErrorSpan, ...]) -> None:
    row = {"start": start, "end": end, "severity": severity, "category": "style"}
    assert errors_of_row(row, path="f", line=1) == expected


@pytest.mark.parametrize(
    ("severity", "message"),
    [("", "an error without a severity"), ("no-error", "the place of an error, but the severity 'no-error'")],
)
def test_a_place_needs_a_severity(severity: str, message: str) -> None:
    with pytest.raises(InputError, match=f"f, line 7: {message}"):
        errors_of_row({"start": "0", "end": "3", "severity": severity}, path="f", line=7)
