"""Williams' test: golden values of mt-metrics-eval and nlpstats, and no 0/0 for equal metrics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metric_tests import MetricCells
from assay.metric_tests.williams import Williams, williams_p
from tests.metric_tests.twins import cells_of

PEARSON = statistic.create("pearson")


def compare(scores, human, test=None):
    scores = np.asarray(scores, dtype=float)[:, :, np.newaxis]
    return (test or Williams()).compare(PEARSON, cells_of(scores, np.asarray(human)[:, np.newaxis]), level="system")


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "p"),
    [(0.9, 0.5, 0.6, 10, 0.0176244182), (0.95, 0.85, 0.8, 15, 0.0405483793), (0.999, 0.987, 0.99, 5, 0.0529941506)],
)
def test_values_of_mt_metrics_eval(r12, r13, r23, n, p):
    assert williams_p(r12, r13, r23, n) == pytest.approx(p, abs=1e-10)
    assert williams_p(r13, r12, r23, n) == pytest.approx(1 - p, abs=1e-10)


def test_scores_of_mt_metrics_eval():
    tested = compare([[1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]], [1, 2, 3, 4, 5])
    assert tested.p_values[0, 1] == pytest.approx(0.019, abs=5e-4)
    assert tested.values == pytest.approx([0.999, 0.987], abs=1e-3)
    assert tested.n[0, 1] == 5


def test_documented_value_of_nlpstats():
    """Global Pearson of 9 x 5 uniform matrices, legacy seed 12. nlpstats compares absolute correlations."""
    np.random.seed(12)
    x, y, z = (np.random.random((9, 5)).ravel() for _ in range(3))
    absolute = [abs(np.corrcoef(one, other)[0, 1]) for one, other in ((x, z), (y, z), (x, y))]
    p = williams_p(*absolute, n=45)
    assert p == pytest.approx(0.2716978, abs=1e-7)
    assert 2 * p == pytest.approx(0.5433956, abs=1e-7)


def test_equal_metrics_do_not_differ():
    a = [1.0, 3.0, 2.0, 5.0, 4.0]
    tested = compare([a, a, [2 * x + 1 for x in a]], [1, 2, 3, 4, 5])
    assert (tested.p_values[~np.eye(3, dtype=bool)] == 1).all()
    perfect = compare([[1, 2, 3, 4, 5], [2, 4, 6, 8, 10]], [1, 2, 3, 4, 5])
    assert perfect.p_values[0, 1] == perfect.p_values[1, 0] == 1


def test_equal_correlations_of_different_metrics():
    assert williams_p(0.5, 0.5, 0.3, 10) == 0.5


def test_two_sided():
    scores, human = [[1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]], [1, 2, 3, 4, 5]
    one, two = compare(scores, human), compare(scores, human, Williams(sides="two"))
    assert two.p_values[0, 1] == two.p_values[1, 0] == pytest.approx(2 * one.p_values[0, 1])


def test_n_counts_common_systems_only():
    random = np.random.default_rng(4)
    human = random.normal(size=(8, 1))
    scores = human + random.normal(size=(2, 8, 1))
    mask = np.ones(scores.shape, dtype=bool)
    mask[0, 0] = mask[1, 1] = False
    tested = Williams().compare(PEARSON, MetricCells(("a", "b"), scores, human, mask), level="system")
    common = Williams().compare(PEARSON, cells_of(scores[:, 2:], human[2:]), level="system")
    assert tested.n[0, 1] == 6
    assert tested.p_values[0, 1] == pytest.approx(common.p_values[0, 1])
    assert tested.differences[0, 1] == pytest.approx(common.differences[0, 1])


def test_too_few_systems_and_constant_metrics():
    few = compare([[1, 2, 3], [3, 1, 2]], [1, 2, 3])
    assert math.isnan(few.p_values[0, 1])
    assert dict(few.untested) == {"fewer than four common scores": 1}
    constant = compare([[1, 1, 1, 1, 1], [3, 1, 2, 5, 4]], [1, 2, 3, 4, 5])
    assert math.isnan(constant.p_values[0, 1])
    assert dict(constant.untested) == {"the agreement of a metric is undefined": 1}


def test_other_statistics_are_refused():
    with pytest.raises(ConfigError, match="williams compares Pearson"):
        Williams().check(statistic.create("kendall"), "system", "none")


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_segment_scores_are_not_independent(grouping):
    with pytest.raises(ConfigError, match="williams assumes independent scores") as caught:
        Williams().check(PEARSON, "segment", grouping)
    assert "perm-segments" in caught.value.hint
