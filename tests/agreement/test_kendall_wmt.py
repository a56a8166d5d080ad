"""The tie rules of WMT10/12, 13 and 14 on tables worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from tests.agreement.twins import batch_of


@pytest.mark.parametrize(
    ("rule", "value", "pairs"),
    [("12", (13 - 2 - 3) / 18, 18), ("13", (13 - 2) / 15, 15), ("14", (13 - 2) / 18, 18)],
)
def test_a_worked_example(rule, value, pairs):
    """13 concordant, 2 discordant, 3 tied by the metric alone, 2 by people alone, 1 by both."""
    found = statistic.create(f"kendall-wmt{rule}").compute(batch_of([1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3]))
    assert found.values[0] == pytest.approx(value, abs=1e-15)
    assert found.weights.tolist() == [pairs]


def test_pooled_over_rankings():
    """WMT13 adds up pairs over all rankings: the mean weighted by pairs is that of the sums."""
    human = -np.array([[1, 2, 3, 4, 5], [1, 1, 1, 2, 2], [3, 3, 3, 3, 3]])  # ranks, low is good
    metric = np.array([[5, 4, 3, 1, 2], [3, 2, 1, 3, 0], [1, 2, 3, 4, 5]])
    found = statistic.create("kendall-wmt13").compute(batch_of(metric, human))
    counted = found.weights > 0
    assert found.weights.tolist() == [10, 5, 0]
    assert np.isnan(found.values[2])
    assert np.average(found.values[counted], weights=found.weights[counted]) == pytest.approx((8 + 1) / 15)


def test_metric_that_says_nothing():
    batch = batch_of([0, 0, 0], [1, 2, 3])
    values = [statistic.create(f"kendall-wmt{rule}").compute(batch).values[0] for rule in ("12", "13", "14")]
    assert values[0] == -1
    assert np.isnan(values[1])
    assert values[2] == 0
