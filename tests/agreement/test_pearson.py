"""Pearson's r against SciPy, and against 60 digits where double arithmetic is in danger."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.agreement.pearson import Pearson, correlation
from tests.agreement.oracle import VECTORS, by_size
from tests.agreement.twins import batch_of, exact_correlation


def test_equals_scipy():
    compared = 0
    for batch, found in ((b, Pearson().compute(b).values) for b in VECTORS):
        for rows, metric, human in by_size(batch):
            expected = [stats.pearsonr(m, h).statistic for m, h in zip(metric, human, strict=True)]
            np.testing.assert_allclose(found[rows], expected, rtol=0, atol=1e-12)
            compared += len(rows)
    assert compared > 15_000


ILL = [
    lambda x, y: (x + 1e8, y - 1e8),
    lambda x, y: (x * 1e150, y * 1e-150),
    lambda x, y: (x * 1e-150, y * 1e150 + 1e151),
    lambda x, y: (1.0 + x * 1e-15, y),
    lambda x, y: (1e8 + x * 1e-6, 1e-300 * y),
    lambda x, y: (x * 1e307, y * 1e307),
    lambda x, y: (5e-324 * np.round(9 * x), y),
    lambda x, y: (np.round(x), np.round(y * 2)),
    lambda x, y: (np.where(np.arange(len(x)) == 0, 1e300, x), y),
    lambda x, y: (1e16 + 2 * np.round(x), np.nextafter(y, np.inf)),
]


def ill_conditioned():
    """300 cases: offsets, scales at the ends of the range, scores that hardly vary, two or three points, ties."""
    random = np.random.default_rng(17)
    for case in range(300):
        x, y = random.normal(size=(2, int(random.choice([2, 3, 5, 15, 200]))))
        yield ILL[case % len(ILL)](x, y + x * random.choice([0.0, 0.5, -3.0]))


@pytest.mark.filterwarnings("error")
def test_ill_conditioned_scores():
    undefined = 0
    for x, y in ill_conditioned():
        exact = exact_correlation(x.tolist(), y.tolist())
        (found,) = Pearson().compute(batch_of(x, y)).values
        undefined += np.isnan(exact)
        assert found == pytest.approx(exact, rel=1e-10, abs=1e-14, nan_ok=True), (x, y)
    assert undefined < 60


def test_groups_of_all_scales_at_once():
    cases = [(x, y) for x, y in ill_conditioned() if len(x) == 5]
    x, y = (np.array(side) for side in zip(*cases, strict=True))
    found = correlation(x, y, np.ones(x.shape, dtype=bool))
    expected = [exact_correlation(a.tolist(), b.tolist()) for a, b in cases]
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


def test_a_constant_is_constant_whatever_its_digits():
    found = Pearson().compute(batch_of([[0.1] * 7, [1e300] * 7], [range(7), range(7)]))
    assert np.isnan(found.values).all()
    assert found.reason == "the metric or the human scores are constant"
    assert found.weights.tolist() == [7, 7]


def test_known_values():
    """g = 1..6, m = [2,1,4,3,3,7] of two systems, from mt-metrics-eval's tests."""
    human, metric = np.arange(1.0, 7).reshape(2, 3), np.array([[2.0, 1, 4], [3, 3, 7]])
    mean = [Pearson().compute(batch_of(*b)).values.mean() for b in ((metric.ravel(), human.ravel()), (metric, human))]
    assert mean == pytest.approx([0.776, 0.760], abs=5e-4)
    assert Pearson().compute(batch_of(metric.T, human.T)).values == pytest.approx(1.0)
