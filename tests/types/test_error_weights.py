"""Keys of weights: the longest that matches an error counts."""

from __future__ import annotations

from assay.types import ErrorSpan
from assay.types.error_weights import WEIGHTS, matching_keys


def test_the_longest_key_goes_first():
    assert list(matching_keys(ErrorSpan("Fluency/Punctuation", "Minor"))) == [
        "minor/fluency/punctuation",
        "*/fluency/punctuation",
        "minor/fluency",
        "*/fluency",
        "minor",
        "*",
    ]


def test_an_error_without_a_category():
    assert list(matching_keys(ErrorSpan("", "major"))) == ["major/", "*/", "major", "*"]


def test_severities_of_esa_weigh_as_in_mqm():
    assert {name: WEIGHTS["esa-spans"][name] for name in ("major", "minor")} == {"major": 5, "minor": 1}
