"""Accuracy at the best epsilon."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.acc23 import Acc23
from assay.agreement.acc_star import AccStar
from tests.agreement.twins import batch_of, random_batch


def test_known_values():
    """From mt-metrics-eval's tests: g = [1, 2, 2, 3, 4], m = [2, 1, 1.5, 5, 3] reach .7."""
    found = AccStar().compute(batch_of([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4]))
    assert found.values[0] == pytest.approx(0.7)
    assert found.details == (("epsilon", "0.5"),)
    assert (found.hits.tolist(), found.pairs.tolist()) == ([7], [10])


def test_epsilon_can_be_used_again():
    """What is reported gives the same values, digit by digit."""
    batch = random_batch(np.random.default_rng(6), kind="mixed", items=8)
    found = AccStar().compute(batch)
    again = Acc23(float(dict(found.details)["epsilon"])).compute(batch)
    np.testing.assert_array_equal(found.values, again.values)


def test_never_worse_than_no_epsilon():
    random = np.random.default_rng(7)
    for _ in range(20):
        batch = random_batch(random)
        star, plain = (np.nan_to_num(s.compute(batch).values).mean() for s in (AccStar(), Acc23()))
        assert star >= plain - 1e-15
