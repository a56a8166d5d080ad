"""Agreement of scores that were made again, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.metaeval.repeated_scores import repeated_measures

NAN = math.nan


def measured(*pairs):
    found = repeated_measures("x", "pairs of votes", [(np.array(one), np.array(other)) for one, other in pairs])
    return {name.partition(",")[0]: estimate for name, (estimate, _) in found.items()}


def test_one_pair():
    """Outputs 1 2 2 3 against 1 2 3 3: of 6 pairs, 4 are concordant, one is tied on each side. 3 of 4 are equal.

    Expected equal: (1*1 + 2*1 + 1*2) / 16.
    """
    found = measured(([[1, 2], [2, 3]], [[1, 2], [3, 3]]))
    assert found["Kendall's tau-b"].value == pytest.approx(4 / 5)
    assert found["kappa of equal scores"].value == pytest.approx((3 / 4 - 5 / 16) / (1 - 5 / 16))
    assert found["pairs of systems in another order"].value == 0


def test_a_tie_of_systems_is_an_order_of_its_own():
    found = measured(([[1.0, 2.0], [1.0, 2.0]], [[1.0, 3.0], [1.0, 2.0]]))
    assert found["pairs of systems in another order"].value == 1


def test_systems_are_compared_on_segments_that_both_have():
    """Without the second segment, where a score is absent, the first system leads in both."""
    found = measured(([[2.0, NAN], [1.0, 9.0]], [[2.0, 0.0], [1.0, 9.0]]))
    orders = found["pairs of systems in another order"]
    assert (orders.value, orders.n) == (0, 1)


def test_nothing_in_common():
    found = measured(([[NAN], [1.0]], [[1.0], [NAN]]))
    assert all(math.isnan(estimate.value) and estimate.reason for estimate in found.values())
    assert all(math.isnan(estimate.value) and estimate.reason for estimate in measured().values())


def test_the_mean_over_pairs():
    same, turned = [[1.0, 2.0, 3.0]], [[3.0, 2.0, 1.0]]
    found = measured((same, same), (same, turned))
    assert found["Kendall's tau-b"].value == pytest.approx(0)
    assert found["Kendall's tau-b"].n == 2
