"""Pairwise accuracy with ties."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.acc23 import Acc23
from assay.errors import ConfigError
from tests.agreement.twins import batch_of


@pytest.mark.parametrize(("epsilon", "value"), [(0, 0.6), (2, 0.4)])
def test_known_values(epsilon, value):
    """From mt-metrics-eval's tests: g = [1, 2, 2, 3, 4], m = [2, 1, 1.5, 5, 3]."""
    assert Acc23(epsilon).compute(batch_of([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4])).values.tolist() == [value]


def test_hits_and_pairs():
    found = Acc23().compute(batch_of([1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3]))
    assert (found.hits.tolist(), found.pairs.tolist(), found.weights.tolist()) == ([14], [21], [7])


def test_constant_scores():
    assert Acc23().compute(batch_of([1, 1, 1], [2, 2, 2])).values.tolist() == [1.0]
    assert Acc23().compute(batch_of([1, 1, 1], [1, 2, 3])).values.tolist() == [0.0]


def test_epsilon_is_closed():
    for epsilon, value in ((0.5, 1.0), (np.nextafter(0.5, 0), 0.0)):
        assert Acc23(epsilon).compute(batch_of([1, 1.5], [7, 7])).values.tolist() == [value]


@pytest.mark.parametrize("epsilon", [-1e-9, np.nan, np.inf])
def test_epsilon_is_a_number_that_is_not_negative(epsilon):
    with pytest.raises(ConfigError, match="must be non-negative and finite"):
        Acc23(epsilon)
