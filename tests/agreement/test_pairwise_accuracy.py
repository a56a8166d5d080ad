"""Pairwise accuracy of systems."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.agreement.pairwise_accuracy import PairwiseAccuracy
from tests.agreement.twins import batch_of


def test_known_values():
    """From mt-metrics-eval's tests: g = [1, 2, 3, 3, 4], m = [1, 1, 2, 1, 2] agree on 5 of 10."""
    found = PairwiseAccuracy().compute(batch_of([1, 1, 2, 1, 2], [1, 2, 3, 3, 4]))
    assert (found.values.tolist(), found.hits.tolist(), found.pairs.tolist()) == ([0.5], [5], [10])


def test_ties_wrong():
    """One pair that people tie is left out; no tie agrees any more."""
    found = PairwiseAccuracy("wrong").compute(batch_of([1, 1, 2, 1, 2], [1, 2, 3, 3, 4]))
    assert (found.hits.tolist(), found.pairs.tolist()) == ([5], [9])


def test_language_pairs_pool():
    """Groups may be language pairs with different systems: sums of hits and of pairs."""
    found = PairwiseAccuracy().compute(batch_of([[1, 2, 3], [1, 2, np.nan]], [[1, 2, 3], [2, 1, np.nan]]))
    assert found.hits.sum() / found.pairs.sum() == pytest.approx(3 / 4)


def test_only_pairs_that_people_tell_apart():
    tell_apart = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool)
    found = PairwiseAccuracy("wrong").compute(batch_of([1, 3, 2], [1, 2, 3], tell_apart))
    assert (found.hits.tolist(), found.pairs.tolist()) == ([2], [2])
    none = PairwiseAccuracy("wrong").compute(batch_of([1, 3, 2], [1, 2, 3], np.zeros((3, 3), dtype=bool)))
    assert np.isnan(none.values[0])


def test_of_systems_only():
    assert statistic.create("pairwise-accuracy:ties=wrong").levels == {"system"}
