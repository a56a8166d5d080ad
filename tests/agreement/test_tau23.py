"""Tau with ties."""

from __future__ import annotations

import pytest

from assay.agreement.tau23 import Tau23
from assay.errors import ConfigError
from tests.agreement.twins import batch_of


def test_known_values():
    """From mt-metrics-eval's tests, and (14 - 7) / 21 by hand."""
    assert Tau23().compute(batch_of([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4])).values[0] == pytest.approx(0.2)
    assert Tau23().compute(batch_of([1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3])).values[0] == pytest.approx(7 / 21)


def test_a_tau_is_no_share_of_pairs():
    found = Tau23().compute(batch_of([1, 2], [1, 2]))
    assert found.hits is None
    assert found.pairs.tolist() == [1]


def test_epsilon_is_checked():
    with pytest.raises(ConfigError, match="must be non-negative and finite"):
        Tau23(-1.0)
