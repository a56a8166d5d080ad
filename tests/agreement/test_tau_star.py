"""Tau at the best epsilon."""

from __future__ import annotations

import pytest

from assay.agreement.tau_star import TauStar
from tests.agreement.twins import batch_of


def test_twice_the_accuracy_less_one():
    found = TauStar().compute(batch_of([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4]))
    assert found.values[0] == pytest.approx(0.4)
    assert found.details == (("epsilon", "0.5"),)
    assert found.hits is None
