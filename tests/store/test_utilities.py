from __future__ import annotations

import io
import json
import math

import numpy as np
import pytest

from assay.store.utilities import FORMS

UTILITIES = [np.array([[1.0, math.nan, 0.1], [0.25, 2.0, 3.0]]), np.array([[7.0]])]


def test_the_suffixes():
    assert set(FORMS) == {".npz", ".jsonl", ".tsv"}


def test_arrays():
    arrays = np.load(io.BytesIO(FORMS[".npz"](UTILITIES)))
    assert arrays["shapes"].tolist() == [[2, 3], [1, 1]]
    np.testing.assert_array_equal(arrays["utilities"][:6].reshape(2, 3), UTILITIES[0])
    assert arrays["utilities"][6:].tolist() == [7.0]


def test_json_lines():
    first, second = map(json.loads, FORMS[".jsonl"](UTILITIES).decode().splitlines())
    assert first == {"segment": 1, "utilities": [[1.0, None, 0.1], [0.25, 2.0, 3.0]]}
    assert second == {"segment": 2, "utilities": [[7.0]]}


def test_a_table():
    header, *rows = [line.split("\t") for line in FORMS[".tsv"](UTILITIES).decode().splitlines()]
    assert header == ["segment", "candidate", "pseudo_reference", "utility"]
    assert rows[:3] == [["1", "1", "1", "1.0"], ["1", "1", "2", ""], ["1", "1", "3", "0.1"]]
    assert rows[3][:3] == ["1", "2", "1"]
    assert rows[-1] == ["2", "1", "1", "7.0"]


@pytest.mark.parametrize("suffix", FORMS)
def test_the_same_utilities_are_the_same_bytes(suffix):
    assert FORMS[suffix](UTILITIES) == FORMS[suffix](UTILITIES)
