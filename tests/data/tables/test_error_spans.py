from __future__ import annotations

import pytest

from assay.data.tables.error_spans import folded, inclusive_spans, mtme_errors
from assay.errors import InputError
from assay.types import ErrorSpan


def test_spans_that_include_their_end():
    spans = [
        {"start_i": 3, "end_i": 3, "severity": "Major", "category": "Style", "x": 1},
        {"start_i": "missing", "end_i": "missing", "severity": "minor"},
        {"start_i": None, "end_i": None, "severity": None, "error_type": " Accuracy /  Omission "},
    ]
    assert inclusive_spans(spans, path="f", line=1) == (
        ErrorSpan("Style", "major", 3, 4),
        ErrorSpan("missing", "minor"),
        ErrorSpan("Accuracy / Omission", ""),
    )


def test_errors_that_exclude_their_end():
    errors = [{"start": 0, "end": 0, "score": "2.5"}, {"start": 1, "end": 4, "is_source_error": True}]
    assert mtme_errors(errors, path="f", line=1) == (
        ErrorSpan("", "", 0, 0, score=2.5),
        ErrorSpan("", "", 1, 4, in_source=True),
    )


@pytest.mark.parametrize("spans", [None, {}, "[]", [1], [{"start_i": 1}], [{"start_i": 2, "end_i": "missing"}]])
def test_what_is_no_list_of_spans(spans):
    with pytest.raises(InputError) as caught:
        inclusive_spans(spans, path="f", line=9)
    assert (caught.value.path, caught.value.line) == ("f", 9)


@pytest.mark.parametrize(
    "error",
    [
        {},
        {"start": 1, "end": 0},
        {"start": 1.5, "end": 2},
        {"start": 0, "end": 10**30},
        {"start": 0, "end": 1, "score": []},
    ],
)
def test_what_is_no_error_of_mt_metrics_eval(error):
    with pytest.raises(InputError) as caught:
        mtme_errors([error], path="f", line=9)
    assert (caught.value.path, caught.value.line) == ("f", 9)


def test_folding():
    assert folded(" a \t b\u00a0c ") == "a b c"
