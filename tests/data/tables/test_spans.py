from __future__ import annotations

import pytest

from assay.data.tables.error_spans import inclusive_spans
from assay.data.tables.spans import errors_in_columns, errors_in_objects, severity_in
from assay.errors import InputError
from assay.types import ErrorSpan


@pytest.mark.parametrize(
    "span",
    [
        {"start": 3, "end": 7, "severity": "Major", "category": "Style"},
        {"start_i": 3, "end_i": 6, "severity": "major", "type": "Style"},
        {"start": "3", "end": "7", "severity": " major ", "error_type": ["Style"]},
    ],
)
def test_people_and_metrics_write_errors_in_the_same_forms(span: dict[str, object]) -> None:
    expected = (ErrorSpan("Style", "major", 3, 7),)
    assert inclusive_spans([span], path="f", line=1) == expected
    assert errors_in_objects([span], path="f", line=1) == expected


def test_quotes_are_of_errors_with_a_place() -> None:
    placed, missing = errors_in_objects(
        [{"start": 0, "end": 2, "severity": "minor", "text": "ab"}, {"severity": "minor", "text": "ab"}],
        path="f",
        line=1,
    )
    assert (placed.text, missing.text) == ("ab", None)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("majro", "did you mean 'major'?"),
        ("Minr", "did you mean 'minor'?"),
        ("bad", "available: critical, major, minor, neutral, trivial, undecided"),
    ],
)
def test_a_misspelt_severity_has_a_suggestion_wherever_it_stands(text: str, hint: str) -> None:
    reads = (
        lambda: severity_in(text, "f", 4),
        lambda: errors_in_columns("2", "8", text, path="f", line=4),
        lambda: errors_in_objects([{"start": 2, "end": 8, "severity": text}], path="f", line=4),
    )
    for read in reads:
        with pytest.raises(InputError, match=f"f, line 4: unknown severity '{text}'") as caught:
            read()
        assert caught.value.hint == hint
