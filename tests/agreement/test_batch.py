"""The contract: what a batch may hold."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import Batch
from assay.errors import AlignmentError, InputError
from tests.agreement.twins import batch_of


def test_gaps_hold_nothing():
    batch = batch_of([[1, np.nan, 3]], [[1, 2, np.nan]])
    assert batch.metric.tolist() == [[1, 0, 0]]
    assert batch.human.tolist() == [[1, 0, 0]]
    assert batch.sizes.tolist() == [1]
    assert batch_of([[1, 2, 3]], [[1, 2, 3]]).sizes.tolist() == [3]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_scores_inside_the_mask_are_finite(wrong):
    for metric, human in (([[1.0, wrong]], [[1.0, 2.0]]), ([[1.0, 2.0]], [[1.0, wrong]])):
        with pytest.raises(InputError, match="scores must be finite inside the mask"):
            Batch(np.array(metric), np.array(human), np.ones((1, 2), dtype=bool))


def test_shapes_must_fit():
    with pytest.raises(AlignmentError, match="different shapes"):
        Batch(np.ones((1, 2)), np.ones((1, 3)), np.ones((1, 2), dtype=bool))
    with pytest.raises(AlignmentError, match="different shapes"):
        Batch(np.ones(2), np.ones(2), np.ones(2, dtype=bool))


@pytest.mark.parametrize("pairs", [np.ones((3, 3)), np.array([[True, True], [False, True]])])
def test_pairs_are_symmetric(pairs):
    with pytest.raises(AlignmentError, match="symmetric matrix of 2 by 2"):
        batch_of([1, 2], [1, 2], pairs)


def test_masked_arrays_are_honoured_and_complex_numbers_refused():
    hidden = np.ma.array([[1.0, 2.0, 3.0]], mask=[[False, True, False]])
    batch = Batch(hidden, np.ones((1, 3)), np.array([[True, True, False]]))
    assert batch.mask.tolist() == [[True, False, False]]
    assert Batch(np.ones((1, 3)), hidden, np.ones((1, 3), dtype=bool)).mask.tolist() == [[True, False, True]]
    with pytest.raises(InputError, match="complex numbers are not scores"):
        Batch(np.ones((1, 2)) * 1j, np.ones((1, 2)), np.ones((1, 2), dtype=bool))
