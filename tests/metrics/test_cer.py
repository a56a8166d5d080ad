"""CER by hand; tests/oracle compares it with rapidfuzz."""

from __future__ import annotations

import math

import pytest

from assay import load, score


def cer(output, *references, spec="cer"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.parametrize(
    ("output", "reference", "edits", "length"),
    [
        ("abc", "abd", 1, 3),
        (" a b ", "ab", 1, 2),
        ("", "né😀", 3, 3),
        ("我们去", "我去", 1, 2),
        ("a" * 500, "a" * 490, 10, 490),
    ],
)
def test_edits(output, reference, edits, length):
    assert cer(output, reference).statistics.table[0, 0].tolist() == [edits, length]


def test_options():
    assert cer("A b", "ab", spec="cer:lowercase=yes,whitespace=no").corpus["x"] == 0
    assert cer("ab", "ab", "abcd").statistics.table[0, 0].tolist() == [0, 3]


@pytest.mark.warns("nothing was scored")
def test_empty_reference_is_undefined():
    assert math.isnan(cer("a", " ").corpus["x"])
