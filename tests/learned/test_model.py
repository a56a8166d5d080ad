"""Segments become distinct inputs, and their results become scores."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, MissingExtraError
from assay.learned import Segment, find_model
from assay.learned.model import number_distinct
from assay.runtime import Runtime
from tests.learned.made_up_model import MadeUpModel

SEGMENTS = [
    Segment("abc", None, "ab"),
    Segment("ab", None, "abc"),
    Segment("abc", None, "ab"),
    Segment("x" * 12, None, ""),
]


def test_equal_inputs_get_one_number():
    encoded = number_distinct([(1,), (2,), (1,), (1,)], [False, True, False, False], 2)
    assert encoded.inputs == [(1,), (2,)]
    assert encoded.rows.tolist() == [[0, 1], [0, 0]]
    assert encoded.is_cut.tolist() == [[False, True], [False, False]]


def test_the_score_is_the_mean_over_inputs():
    assert MadeUpModel().score(SEGMENTS, Runtime()).tolist() == [3.5, 3.5, 3.5, 5.5]
    assert MadeUpModel().score([], Runtime()).tolist() == []


def test_a_score_that_is_no_number_is_an_error(monkeypatch):
    monkeypatch.setattr(MadeUpModel, "combine", lambda self, results, rows, runtime: np.full(len(rows), np.nan))
    with pytest.raises(InputError, match="gives no number for 4 of 4 segments") as raised:
        MadeUpModel().score(SEGMENTS, Runtime())
    assert "bf16" in raised.value.hint


def test_a_model_is_a_folder(tmp_path):
    assert find_model(tmp_path, "model").path == tmp_path
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is not a folder"):
        find_model(tmp_path / "file", "model")
    with pytest.raises(MissingExtraError, match="model not found"):
        find_model("nothing", "model")
